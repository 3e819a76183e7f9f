INSERT OR IGNORE INTO sessions (id, started_at, last_at) VALUES (?1, ?2, ?3)
