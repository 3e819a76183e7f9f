SELECT id, keyword, symbol, qualified_name, observations, first_at, last_at, package, package_root FROM vocabulary
