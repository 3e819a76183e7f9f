SELECT p.path
FROM commits AS c JOIN commit_files AS f ON f.commit_id = c.id JOIN history_paths AS p ON p.id = f.path
WHERE c.hash = ?1
ORDER BY p.path
