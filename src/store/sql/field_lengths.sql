SELECT id, sz FROM search_docsize
