SELECT slot FROM edges ORDER BY slot
