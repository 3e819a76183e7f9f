SELECT content_hash FROM files WHERE path = ?1
