INSERT OR IGNORE INTO names (pseudonym, author) VALUES (?1, ?2)
