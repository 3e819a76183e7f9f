SELECT sections FROM documents WHERE id = ?1
