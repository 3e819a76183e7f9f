SELECT id, batch, at, session, kind, task, keywords, undone FROM events ORDER BY id
