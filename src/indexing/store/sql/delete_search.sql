DELETE FROM search WHERE rowid = ?1
