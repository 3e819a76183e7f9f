SELECT id FROM files WHERE path = ?1
