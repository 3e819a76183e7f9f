SELECT id, first, data FROM symbol_names ORDER BY first
