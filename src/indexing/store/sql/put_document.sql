INSERT INTO documents (id, path, size, mtime_ns, content_hash, sections, data) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
