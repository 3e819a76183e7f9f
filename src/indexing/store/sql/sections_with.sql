SELECT rowid, bm25(section_search, 6.0, 3.0, 1.0, 0.5, 1.0) FROM section_search WHERE section_search MATCH ?1
