SELECT id, path, language, size, mtime_ns, content_hash FROM files WHERE id = ?1
