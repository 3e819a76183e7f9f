UPDATE events SET undone = ?2, revision = (SELECT MAX(revision) + 1 FROM events), checksum = NULL
WHERE batch = ?1 AND undone <> ?2
