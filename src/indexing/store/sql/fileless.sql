SELECT node, file FROM fileless ORDER BY node
