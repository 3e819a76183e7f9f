SELECT data FROM edges WHERE slot = ?1
