SELECT c.hash, c.time, c.author, c.subject
FROM history_paths AS p JOIN commit_files AS f ON f.path = p.id JOIN commits AS c ON c.id = f.commit_id
WHERE p.path = ?1
ORDER BY c.time DESC, c.hash
LIMIT ?2
