SELECT file, data FROM heads ORDER BY file
