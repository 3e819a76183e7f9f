SELECT id, batch, at, session, kind, task, keywords, undone FROM acts ORDER BY id
