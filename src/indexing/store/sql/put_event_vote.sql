INSERT INTO feedback (event, symbol, qualified_name, vote, package, package_root, checksum)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, row_checksum('feedback', ?1, ?2, ?3, ?4, ?5, ?6))
