INSERT INTO symbol_names (id, first, data) VALUES (?1, ?2, ?3)
ON CONFLICT (id) DO UPDATE SET first = excluded.first, data = excluded.data
