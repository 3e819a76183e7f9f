SELECT coalesce(sum(sections), 0) FROM documents
