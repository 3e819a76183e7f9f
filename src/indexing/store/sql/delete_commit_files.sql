DELETE FROM commit_files WHERE commit_id IN (SELECT id FROM commits WHERE hash = ?1)
