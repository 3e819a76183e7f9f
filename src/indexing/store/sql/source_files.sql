SELECT path, language, content_hash FROM files WHERE path = ?1 OR (path > ?2 AND path < ?3) ORDER BY path
