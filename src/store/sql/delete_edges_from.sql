DELETE FROM edges WHERE source = ?1
