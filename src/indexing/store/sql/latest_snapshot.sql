SELECT root, commit_hash, parent, created_at FROM snapshots ORDER BY id DESC LIMIT 1
