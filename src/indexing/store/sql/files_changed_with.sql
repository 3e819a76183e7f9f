SELECT p.path, COUNT(*)
FROM commit_files AS f JOIN history_paths AS p ON p.id = f.path
WHERE f.commit_id IN (
    SELECT c.id
    FROM history_paths AS own JOIN commit_files AS o ON o.path = own.id JOIN commits AS c ON c.id = o.commit_id
    WHERE own.path = ?1
    ORDER BY c.time DESC, c.hash
    LIMIT ?2)
GROUP BY p.path
