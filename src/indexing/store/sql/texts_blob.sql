SELECT data FROM texts WHERE file = ?1
