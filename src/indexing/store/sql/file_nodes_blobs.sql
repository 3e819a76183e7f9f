SELECT file, data FROM file_nodes ORDER BY file
