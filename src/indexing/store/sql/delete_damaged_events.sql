DELETE FROM events
WHERE checksum IS NOT NULL AND checksum <> row_checksum(
    'events', id, batch, at, session, kind, task, cluster, keywords, undone, revision
)
