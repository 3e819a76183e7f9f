SELECT n.id
FROM nodes AS n JOIN files AS f ON f.id = n.file
WHERE n.name >= ?1 COLLATE NOCASE AND n.name < ?3 COLLATE NOCASE
ORDER BY length(n.name), n.is_test, n.name COLLATE NOCASE, n.kind, f.path, n.start_byte, n.ordinal
LIMIT ?2
