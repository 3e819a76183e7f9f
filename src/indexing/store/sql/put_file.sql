INSERT INTO files (id, path, language, size, mtime_ns, content_hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (id) DO UPDATE SET path = excluded.path, language = excluded.language, size = excluded.size,
    mtime_ns = excluded.mtime_ns, content_hash = excluded.content_hash
