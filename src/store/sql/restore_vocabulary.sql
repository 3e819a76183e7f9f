-- A column that the old database lacks comes as NULL.
INSERT OR IGNORE INTO vocabulary (
    id, keyword, symbol, qualified_name, observations, first_at, last_at, package, package_root
) VALUES (
    ?1, ?2, ?3, coalesce(?4, ''), coalesce(?5, 1), coalesce(?6, 0), coalesce(?7, 0), coalesce(?8, ''), coalesce(?9, X'')
)
