INSERT INTO feedback (event, symbol, qualified_name, vote, package, package_root) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
