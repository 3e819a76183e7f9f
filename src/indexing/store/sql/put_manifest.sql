INSERT INTO manifests (path, content_hash) VALUES (?1, ?2)
