SELECT value FROM graph_notes WHERE key = ?1 AND kind = ?2
