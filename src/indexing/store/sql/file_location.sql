SELECT path, language FROM files WHERE id = ?1
