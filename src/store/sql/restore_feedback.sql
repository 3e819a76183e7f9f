INSERT OR IGNORE INTO feedback (
    id, at, session, cluster, keywords, symbol, qualified_name, vote, weight, implicit, package, package_root
) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
