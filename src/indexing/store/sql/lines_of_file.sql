SELECT id, start_line, start_line + line_count FROM nodes WHERE file = ?1 AND kind NOT IN (8, 9) ORDER BY start_byte, byte_length DESC, ordinal
