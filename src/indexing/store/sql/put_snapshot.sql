INSERT INTO snapshots (root, commit_hash, parent, created_at) VALUES (?1, ?2, ?3, ?4)
