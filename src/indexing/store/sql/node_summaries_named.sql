SELECT id, identity, kind, file, is_test, name FROM nodes WHERE name = ?1 COLLATE NOCASE AND name = ?1
