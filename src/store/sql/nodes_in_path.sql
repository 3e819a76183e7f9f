SELECT n.id
FROM files AS f JOIN nodes AS n ON n.file = f.id
WHERE instr('/' || lower(f.path) || '/', '/' || lower(?1) || '/') > 0
    OR instr('/' || lower(f.path), '/' || lower(?1) || '.') > 0
ORDER BY n.is_test, n.kind = 8, n.kind = 6, length(f.path), f.path, n.start_byte, n.ordinal
LIMIT ?2
