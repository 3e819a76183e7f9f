SELECT event, symbol, qualified_name, vote, package, package_root FROM feedback ORDER BY id
