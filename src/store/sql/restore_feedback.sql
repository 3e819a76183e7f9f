-- A column that the old database lacks comes as NULL.
INSERT OR IGNORE INTO feedback (
    id, at, session, cluster, keywords, symbol, qualified_name, vote, weight, implicit, package, package_root
) VALUES (
    ?1, coalesce(?2, 0), coalesce(?3, ''), coalesce(?4, ''), coalesce(?5, ''), ?6, coalesce(?7, ''), ?8, coalesce(?9, 1.0),
    coalesce(?10, 0), coalesce(?11, ''), coalesce(?12, X'')
)
