-- A column that the old database does not have is bound as NULL.
INSERT INTO learned_terms (
    id, event, term, symbol, qualified_name, observations, package, package_root, checksum
)
VALUES (?1, coalesce(?2, 0), ?3, ?4, coalesce(?5, ''), coalesce(?6, 1), coalesce(?7, ''), coalesce(?8, X''), ?9)
ON CONFLICT (id) DO NOTHING
