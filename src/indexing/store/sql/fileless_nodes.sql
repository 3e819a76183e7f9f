SELECT id, kind, file, scope, name
FROM nodes INDEXED BY nodes_fileless
WHERE file IS NULL OR kind = 9
ORDER BY id
