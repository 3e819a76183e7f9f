INSERT INTO learned_terms (event, term, symbol, qualified_name, observations, package, package_root)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
