UPDATE documents SET size = ?2, mtime_ns = ?3 WHERE id = ?1
