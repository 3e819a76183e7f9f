SELECT * FROM vocabulary
