SELECT c.id
FROM files AS f JOIN history_paths AS p ON p.path = f.path JOIN commit_files AS t ON t.path = p.id
    JOIN commits AS c ON c.id = t.commit_id
WHERE f.id = ?1
ORDER BY c.time DESC, c.hash
LIMIT ?2
