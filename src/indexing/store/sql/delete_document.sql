DELETE FROM documents WHERE id = ?1
