SELECT path, data FROM documents WHERE id = ?1
