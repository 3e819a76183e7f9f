SELECT id, path FROM files ORDER BY id
