SELECT scope, name, line_count, substr(signature, 1, max(instr(signature, char(1)) - 1, 0))
FROM nodes WHERE id = ?1 AND file IS NOT NULL
