SELECT data FROM outlines WHERE file = ?1
