SELECT coalesce(file, 0) FROM nodes WHERE id = ?1
