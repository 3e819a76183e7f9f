INSERT INTO targets (file, hash) VALUES (?1, ?2) ON CONFLICT (file) DO UPDATE SET hash = excluded.hash
