SELECT n.file, n.id, n.kind, n.is_test, n.identity, d.sz,
    substr(n.signature, max(instr(n.signature, char(1)) - 1, 1), 3)
FROM nodes AS n INDEXED BY nodes_fileless LEFT JOIN search_docsize AS d ON d.id = n.id
WHERE (n.file IS NULL OR n.kind = 9) AND n.file IS NULL
ORDER BY n.id
