-- A column that the old database lacks comes as NULL.
INSERT OR IGNORE INTO vocabulary (id, act, keyword, symbol, qualified_name, observations, package, package_root)
VALUES (?1, coalesce(?2, 0), ?3, ?4, coalesce(?5, ''), coalesce(?6, 1), coalesce(?7, ''), coalesce(?8, X''))
