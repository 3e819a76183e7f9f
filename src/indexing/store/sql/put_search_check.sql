INSERT OR REPLACE INTO search_checks (id, checksum) VALUES (?1, ?2)
