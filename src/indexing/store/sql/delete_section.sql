DELETE FROM section_search WHERE rowid = ?1
