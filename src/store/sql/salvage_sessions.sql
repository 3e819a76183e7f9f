SELECT id, started_at, last_at FROM sessions
