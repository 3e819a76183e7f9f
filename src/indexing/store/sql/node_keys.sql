SELECT id, identity, file, kind, is_test FROM nodes ORDER BY id
