INSERT INTO commits (hash, time, author, subject) VALUES (?1, ?2, ?3, ?4)
