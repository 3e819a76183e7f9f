INSERT INTO file_names (number, data) VALUES (?1, ?2) ON CONFLICT (number) DO UPDATE SET data = excluded.data
