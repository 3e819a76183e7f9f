SELECT id, identity, file, kind, is_test FROM nodes WHERE file = ?1 ORDER BY id
