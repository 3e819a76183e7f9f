SELECT hash, time, author, subject FROM commits ORDER BY time DESC, hash LIMIT ?1
