SELECT event, symbol, qualified_name, term, package, package_root, observations FROM learned_terms ORDER BY id
