SELECT slot, data FROM edges ORDER BY slot
