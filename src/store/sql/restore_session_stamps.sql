INSERT OR IGNORE INTO session_stamps (id, session, symbol, qualified_name, at) VALUES (?1, ?2, ?3, ?4, ?5)
