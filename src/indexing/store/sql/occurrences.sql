SELECT term, doc FROM search_terms
