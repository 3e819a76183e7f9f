SELECT language FROM files WHERE path = ?1
