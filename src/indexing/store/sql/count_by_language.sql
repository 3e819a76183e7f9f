SELECT language, count(*), sum(size) FROM files GROUP BY language ORDER BY language
