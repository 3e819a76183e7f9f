SELECT c.hash, c.time, c.author, c.subject
FROM node_history AS h JOIN history_paths AS p JOIN commit_files AS f ON f.path = p.id JOIN commits AS c ON c.id = f.commit_id
WHERE h.node = ?1 AND p.path = ?2 AND c.time = h.last_time AND c.author = h.last_author
ORDER BY c.hash
LIMIT 1
