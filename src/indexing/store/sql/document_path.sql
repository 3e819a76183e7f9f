SELECT path FROM documents WHERE id = ?1
