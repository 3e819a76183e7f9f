SELECT f.path || ' has no stored facts'
FROM files AS f
    LEFT JOIN outlines AS o ON o.file = f.id
    LEFT JOIN codes AS c ON c.file = f.id
    LEFT JOIN texts AS t ON t.file = f.id
    LEFT JOIN resolutions AS r ON r.file = f.id
WHERE o.file IS NULL OR c.file IS NULL OR t.file IS NULL OR r.file IS NULL
LIMIT 20
