SELECT id, path, language FROM files
