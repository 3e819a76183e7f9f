SELECT n.id, n.identity, n.kind, n.name, n.scope, f.path, f.language, n.signature, n.doc, n.start_byte, n.byte_length,
    n.start_line, n.line_count, n.name_line, n.is_test, n.ordinal, n.file, n.checksum
FROM nodes AS n LEFT JOIN files AS f ON f.id = n.file
WHERE n.id = ?1
