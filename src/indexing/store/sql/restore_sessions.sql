-- A column that the old database does not have is bound as NULL.
INSERT INTO sessions (id, started_at, last_at, last_answer)
VALUES (?1, coalesce(?2, 0), coalesce(?3, 0), coalesce(?4, ''))
ON CONFLICT (id) DO NOTHING
