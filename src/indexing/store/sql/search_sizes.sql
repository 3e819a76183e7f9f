SELECT id, sz FROM search_docsize WHERE id BETWEEN ?1 AND ?2 ORDER BY id
