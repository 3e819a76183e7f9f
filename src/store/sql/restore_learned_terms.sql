-- A column that the old database does not have is bound as NULL.
INSERT OR IGNORE INTO learned_terms (id, event, term, symbol, qualified_name, observations, package, package_root)
VALUES (?1, coalesce(?2, 0), ?3, ?4, coalesce(?5, ''), coalesce(?6, 1), coalesce(?7, ''), coalesce(?8, X''))
