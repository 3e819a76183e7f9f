INSERT INTO symbols (block, data) VALUES (?1, ?2) ON CONFLICT (block) DO UPDATE SET data = excluded.data
