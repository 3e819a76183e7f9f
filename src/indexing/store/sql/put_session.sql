INSERT INTO sessions (id, started_at, last_at) VALUES (?1, ?2, ?2)
ON CONFLICT (id) DO UPDATE SET last_at = MAX(last_at, excluded.last_at)
