SELECT act, symbol, qualified_name, keyword, package, package_root, observations FROM vocabulary ORDER BY id
