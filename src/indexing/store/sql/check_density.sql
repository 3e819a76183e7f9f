SELECT 'node numbers go up to ' || max(id) || ' for ' || count(*) || ' symbols'
FROM nodes
HAVING max(id) > 2 * count(*) + 1000
