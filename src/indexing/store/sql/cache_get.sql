SELECT value FROM cache WHERE key = ?1 AND kind = ?2
