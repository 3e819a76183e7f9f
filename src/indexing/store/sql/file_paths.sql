SELECT id, path, language, size, mtime_ns, content_hash FROM files ORDER BY id
