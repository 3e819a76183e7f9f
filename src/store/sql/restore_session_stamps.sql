-- A column that the old database lacks comes as NULL.
INSERT OR IGNORE INTO session_stamps (id, session, symbol, qualified_name, at)
VALUES (?1, ?2, ?3, coalesce(?4, ''), coalesce(?5, 0))
