SELECT type, count(*) FROM edges GROUP BY type ORDER BY type
