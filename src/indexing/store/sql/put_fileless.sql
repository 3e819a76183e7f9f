INSERT INTO fileless (node, file) VALUES (?1, ?2) ON CONFLICT (node) DO UPDATE SET file = excluded.file
