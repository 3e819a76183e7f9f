SELECT path, reason, size, mtime_ns FROM skips ORDER BY path
