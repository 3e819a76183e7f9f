INSERT INTO section_search (rowid, heading, ancestors, prose, code, cites) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
