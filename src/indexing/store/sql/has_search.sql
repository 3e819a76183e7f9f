SELECT 1 FROM search_docsize WHERE id = ?1
