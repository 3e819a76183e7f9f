SELECT path, content_hash FROM manifests ORDER BY path
