INSERT INTO learned_terms (event, term, symbol, qualified_name, observations, package, package_root, checksum)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, row_checksum('learned_terms', ?1, ?2, ?3, ?4, ?5, ?6, ?7))
