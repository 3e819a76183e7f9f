SELECT sz FROM search_docsize WHERE id = ?1
