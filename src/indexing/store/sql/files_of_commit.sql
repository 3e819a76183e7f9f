SELECT f.id
FROM commit_files AS c JOIN history_paths AS p ON p.id = c.path JOIN files AS f ON f.path = p.path
WHERE c.commit_id = ?1 ORDER BY f.id
