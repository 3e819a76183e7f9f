INSERT INTO search (rowid, terms) VALUES (?1, ?2)
