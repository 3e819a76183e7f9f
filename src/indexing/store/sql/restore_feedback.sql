-- A column that the old database does not have is bound as NULL.
INSERT INTO feedback (id, event, symbol, qualified_name, vote, package, package_root, checksum)
VALUES (?1, coalesce(?2, 0), ?3, coalesce(?4, ''), ?5, coalesce(?6, ''), coalesce(?7, X''), ?8)
ON CONFLICT (id) DO NOTHING
