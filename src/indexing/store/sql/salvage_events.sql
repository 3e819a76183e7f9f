SELECT * FROM events
