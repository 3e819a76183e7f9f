SELECT n.file, n.id, n.kind, n.is_test, n.identity, d.sz,
    substr(n.signature, max(instr(n.signature, char(1)) - 1, 1), 3)
FROM nodes AS n LEFT JOIN search_docsize AS d ON d.id = n.id
ORDER BY n.file, n.id
