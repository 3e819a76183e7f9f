-- A contentless FTS5 table does not check that a deleted rowid exists, and would corrupt its counts.
DELETE FROM search WHERE rowid IN (SELECT id FROM search_docsize WHERE id = ?1)
