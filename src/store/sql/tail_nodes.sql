SELECT id, kind, file, scope, name
FROM nodes
WHERE file IS NULL
UNION ALL
SELECT id, kind, file, scope, name
FROM nodes
WHERE kind = 9 AND file IS NOT NULL
ORDER BY 1
