SELECT slot, data FROM edges WHERE slot BETWEEN ?1 AND ?2 ORDER BY slot
