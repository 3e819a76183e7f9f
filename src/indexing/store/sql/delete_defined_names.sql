DELETE FROM defined_names WHERE file = ?1
