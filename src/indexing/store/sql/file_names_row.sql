SELECT data FROM file_names WHERE number = ?1
