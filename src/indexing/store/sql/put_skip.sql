INSERT INTO skips (path, reason, size, mtime_ns) VALUES (?1, ?2, ?3, ?4)
