SELECT data FROM file_nodes WHERE file = ?1
