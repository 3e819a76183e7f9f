INSERT INTO defined_names (file, data) VALUES (?1, ?2) ON CONFLICT (file) DO UPDATE SET data = excluded.data
