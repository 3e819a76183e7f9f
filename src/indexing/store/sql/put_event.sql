INSERT INTO events (batch, at, session, kind, task, cluster, keywords, undone, revision)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, ?8)
RETURNING id
