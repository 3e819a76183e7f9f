INSERT OR IGNORE INTO history_paths (path) VALUES (?1)
