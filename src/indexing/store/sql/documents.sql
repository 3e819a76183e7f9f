SELECT id, path, size, mtime_ns, content_hash FROM documents ORDER BY path
