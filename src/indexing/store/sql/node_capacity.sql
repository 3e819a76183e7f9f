SELECT coalesce(max(id) + 1, 0) FROM nodes
