SELECT * FROM sessions
