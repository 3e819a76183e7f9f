SELECT id, subject FROM commits ORDER BY time DESC, hash LIMIT ?1
