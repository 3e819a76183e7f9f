INSERT INTO unresolved_names (bucket, data) VALUES (?1, ?2) ON CONFLICT (bucket) DO UPDATE SET data = excluded.data
