SELECT (SELECT count(*) FROM edges WHERE target = ?1), (SELECT count(*) FROM edges WHERE source = ?1)
