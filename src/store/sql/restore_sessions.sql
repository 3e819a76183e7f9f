-- A column that the old database lacks comes as NULL.
INSERT OR IGNORE INTO sessions (id, started_at, last_at, shown)
VALUES (?1, coalesce(?2, 0), coalesce(?3, 0), coalesce(?4, ''))
