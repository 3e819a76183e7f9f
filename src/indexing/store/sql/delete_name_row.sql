DELETE FROM symbol_names WHERE id = ?1
