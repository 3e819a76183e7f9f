SELECT id, coalesce(file, 0) FROM nodes WHERE id BETWEEN ?1 AND ?2 ORDER BY id
