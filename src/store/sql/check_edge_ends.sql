SELECT 'edge ' || e.source || ' -> ' || e.target || ' has an end that does not exist'
FROM edges AS e LEFT JOIN nodes AS s ON s.id = e.source LEFT JOIN nodes AS t ON t.id = e.target
WHERE s.id IS NULL OR t.id IS NULL
LIMIT 20
