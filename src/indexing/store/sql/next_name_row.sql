SELECT coalesce(max(id), 0) + 1 FROM symbol_names
