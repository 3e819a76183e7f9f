-- A column that the old database does not have is bound as NULL.
INSERT INTO events (id, batch, at, session, kind, task, cluster, keywords, undone, revision, checksum)
VALUES (
    ?1, coalesce(?2, ?1), coalesce(?3, 0), coalesce(?4, ''), coalesce(?5, ''), coalesce(?6, ''), coalesce(?7, ''),
    coalesce(?8, ''), coalesce(?9, 0), coalesce(?10, ?1), ?11
)
ON CONFLICT (id) DO NOTHING
