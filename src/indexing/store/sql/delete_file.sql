DELETE FROM files WHERE id = ?1
