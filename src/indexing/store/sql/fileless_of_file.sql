SELECT node FROM fileless WHERE file = ?1 ORDER BY node
