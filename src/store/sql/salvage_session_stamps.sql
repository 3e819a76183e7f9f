SELECT * FROM session_stamps
