SELECT id, identity, file, kind, is_test
FROM nodes INDEXED BY nodes_fileless
WHERE (file IS NULL OR kind = 9) AND file IS NULL
ORDER BY id
