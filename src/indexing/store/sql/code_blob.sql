SELECT data FROM codes WHERE file = ?1
