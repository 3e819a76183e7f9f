SELECT id, at, session, cluster, keywords, symbol, qualified_name, vote, weight, implicit, package, package_root FROM feedback
