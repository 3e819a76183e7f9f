SELECT pgno >> 1 FROM search_idx WHERE segid = ?1 AND term <= ?2 ORDER BY term DESC LIMIT 1
