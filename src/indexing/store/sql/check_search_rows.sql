SELECT 'symbol ' || n.id || ' (' || n.name || ') has no search text'
FROM nodes AS n LEFT JOIN search_docsize AS d ON d.id = n.id
WHERE d.id IS NULL AND n.kind <> 12
UNION ALL
SELECT 'search row ' || d.id || ' belongs to no symbol'
FROM search_docsize AS d LEFT JOIN nodes AS n ON n.id = d.id
WHERE n.id IS NULL
LIMIT 20
