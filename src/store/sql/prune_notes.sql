DELETE FROM graph_notes
WHERE kind = ?1 AND key NOT IN (SELECT key FROM graph_notes WHERE kind = ?1 ORDER BY at DESC, key LIMIT ?2)
