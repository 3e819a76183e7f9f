SELECT coalesce(max(id) + 1, 1) FROM files
