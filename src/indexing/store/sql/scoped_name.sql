SELECT scope, name, line_count FROM nodes WHERE id = ?1 AND file IS NOT NULL
