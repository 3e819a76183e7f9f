INSERT INTO packages (number, name, root) VALUES (?1, ?2, ?3) ON CONFLICT (number) DO UPDATE SET root = excluded.root
