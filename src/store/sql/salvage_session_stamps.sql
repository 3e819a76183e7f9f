SELECT id, session, symbol, qualified_name, at FROM session_stamps
