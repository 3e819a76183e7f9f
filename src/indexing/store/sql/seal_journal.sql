-- Rows of databases without checksums.
UPDATE events
SET checksum = row_checksum(
    'events', id, batch, at, session, kind, task, cluster, keywords, undone, revision
)
WHERE checksum IS NULL;
UPDATE feedback
SET checksum = row_checksum(
    'feedback', event, symbol, qualified_name, vote, package, package_root
)
WHERE checksum IS NULL;
UPDATE learned_terms
SET checksum = row_checksum(
    'learned_terms', event, term, symbol, qualified_name, observations, package, package_root
)
WHERE checksum IS NULL;
