SELECT id
FROM nodes
WHERE name = ?2 COLLATE NOCASE AND kind = ?1 AND file IS NULL
ORDER BY name <> ?2, name
