SELECT n.id
FROM nodes AS n JOIN files AS f ON f.id = n.file
WHERE instr(lower(n.name), lower(?1)) > 0
ORDER BY length(n.name), n.is_test, n.name COLLATE NOCASE, n.kind, f.path, n.start_byte, n.ordinal
LIMIT ?2
