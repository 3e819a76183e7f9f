UPDATE acts SET undone = ?2, revision = (SELECT MAX(revision) + 1 FROM acts) WHERE batch = ?1 AND undone <> ?2
