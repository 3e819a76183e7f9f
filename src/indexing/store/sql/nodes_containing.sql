-- The first statement reads the index of names alone.
SELECT n.id
FROM (SELECT id FROM nodes WHERE name LIKE ?1 ESCAPE '\') AS found
CROSS JOIN nodes AS n ON n.id = found.id
JOIN files AS f ON f.id = n.file
ORDER BY length(n.name), n.is_test, n.name COLLATE NOCASE, n.kind, f.path, n.start_byte, n.ordinal
LIMIT ?2
