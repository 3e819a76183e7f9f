SELECT term, doc, col FROM search_terms
