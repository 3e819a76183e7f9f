DELETE FROM cache
WHERE kind = ?1 AND key NOT IN (SELECT key FROM cache WHERE kind = ?1 ORDER BY at DESC, key LIMIT ?2)
