SELECT 'identity ' || hex(identity) || ' belongs to ' || count(*) || ' symbols'
FROM nodes
GROUP BY identity
HAVING count(*) > 1
LIMIT 20
