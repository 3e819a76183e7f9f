SELECT id, identity, kind, file, is_test, name FROM nodes ORDER BY id
