SELECT id, first, data FROM symbol_names WHERE first <= ?1 ORDER BY first DESC LIMIT 1
