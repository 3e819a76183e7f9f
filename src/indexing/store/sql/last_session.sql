SELECT id FROM sessions WHERE last_at >= ?1 ORDER BY last_at DESC, id LIMIT 1
