SELECT coalesce(max(id), 0) + 1 FROM documents
