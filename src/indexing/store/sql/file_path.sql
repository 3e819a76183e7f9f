SELECT path FROM files WHERE id = ?1
