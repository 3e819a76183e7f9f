SELECT d.id, d.block, c.checksum
FROM search_data AS d LEFT JOIN search_checks AS c ON c.id = d.id
WHERE d.id BETWEEN ?1 AND ?2
ORDER BY d.id
