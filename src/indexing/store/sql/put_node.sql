INSERT INTO nodes (
    id, identity, file, kind, name, scope, signature, doc, start_byte, byte_length, start_line, line_count, name_line,
    is_test, ordinal, checksum
) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
ON CONFLICT (id) DO UPDATE SET identity = excluded.identity, file = excluded.file, kind = excluded.kind,
    name = excluded.name, scope = excluded.scope, signature = excluded.signature, doc = excluded.doc,
    start_byte = excluded.start_byte, byte_length = excluded.byte_length, start_line = excluded.start_line,
    line_count = excluded.line_count, name_line = excluded.name_line, is_test = excluded.is_test,
    ordinal = excluded.ordinal, checksum = excluded.checksum
