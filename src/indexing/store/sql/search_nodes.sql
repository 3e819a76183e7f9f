SELECT id FROM search_docsize ORDER BY id
