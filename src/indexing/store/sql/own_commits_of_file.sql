SELECT h.node, h.own_commits
FROM nodes AS n JOIN node_history AS h ON h.node = n.id
WHERE n.file = ?1 AND h.own_commits <> 0
ORDER BY h.node
