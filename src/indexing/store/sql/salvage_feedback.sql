SELECT * FROM feedback
