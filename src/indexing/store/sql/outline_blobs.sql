SELECT file, data FROM outlines ORDER BY file
