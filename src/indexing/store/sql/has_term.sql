SELECT doc, col FROM search_terms WHERE term = ?1
