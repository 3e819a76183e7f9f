DELETE FROM edges WHERE target = ?1
