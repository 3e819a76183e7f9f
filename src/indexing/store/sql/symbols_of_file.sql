SELECT n.id, n.identity, n.kind, n.name, n.scope, f.path, f.language, n.signature, n.doc, n.start_byte, n.byte_length,
    n.start_line, n.line_count, n.name_line, n.is_test, n.ordinal, n.file, n.checksum
FROM nodes AS n JOIN files AS f ON f.id = n.file
WHERE f.path = ?1
ORDER BY n.start_byte, n.byte_length DESC, n.kind, n.name, n.ordinal
