SELECT id, identity, kind, file, is_test, name FROM nodes WHERE id = ?1
