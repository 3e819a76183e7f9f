SELECT 'events', count(*) FROM events
WHERE checksum IS NOT row_checksum('events', id, batch, at, session, kind, task, cluster, keywords, undone, revision)
UNION ALL
SELECT 'feedback', count(*) FROM feedback
WHERE checksum IS NOT row_checksum('feedback', event, symbol, qualified_name, vote, package, package_root)
UNION ALL
SELECT 'learned_terms', count(*) FROM learned_terms
WHERE checksum IS NOT row_checksum(
    'learned_terms', event, term, symbol, qualified_name, observations, package, package_root
)
