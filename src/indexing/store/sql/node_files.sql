SELECT id, coalesce(file, 0) FROM nodes ORDER BY file
