INSERT OR IGNORE INTO vocabulary (
    id, keyword, symbol, qualified_name, observations, first_at, last_at, package, package_root
) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
