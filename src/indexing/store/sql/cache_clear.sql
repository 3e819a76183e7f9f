DELETE FROM cache WHERE kind = ?1
