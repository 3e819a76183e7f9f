INSERT INTO edges (slot, data) VALUES (?1, ?2) ON CONFLICT (slot) DO UPDATE SET data = excluded.data
