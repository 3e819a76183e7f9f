SELECT file, data FROM placements ORDER BY file
