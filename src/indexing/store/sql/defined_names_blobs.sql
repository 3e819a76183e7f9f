SELECT file, data FROM defined_names ORDER BY file
