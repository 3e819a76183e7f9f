-- FTS5 takes the rowid on trust in a table without content: a row that is not there must not be counted out.
DELETE FROM search WHERE rowid IN (SELECT id FROM search_docsize WHERE id = ?1)
