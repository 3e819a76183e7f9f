SELECT id, kind, file, scope, name
FROM nodes INDEXED BY nodes_outside
WHERE file IS NULL OR kind = 9
ORDER BY id
