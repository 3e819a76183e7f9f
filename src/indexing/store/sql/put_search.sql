INSERT INTO search (
    rowid, symbol_name, concepts, qualified_name, signature, file_path, doc, body, history
) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
