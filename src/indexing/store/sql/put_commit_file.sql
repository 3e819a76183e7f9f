INSERT OR IGNORE INTO commit_files (path, commit_id)
SELECT p.id, c.id FROM history_paths AS p, commits AS c WHERE p.path = ?1 AND c.hash = ?2
