UPDATE events
SET checksum = row_checksum('events', id, batch, at, session, kind, task, cluster, keywords, undone, revision)
WHERE batch = ?1 AND checksum IS NULL
