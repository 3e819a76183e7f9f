DELETE FROM edges WHERE slot = ?1
