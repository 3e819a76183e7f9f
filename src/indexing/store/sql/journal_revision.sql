SELECT COALESCE(MAX(revision), 0) FROM events
