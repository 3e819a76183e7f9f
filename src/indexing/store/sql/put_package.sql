INSERT INTO packages (name, root) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET root = excluded.root
