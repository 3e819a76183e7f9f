SELECT last_answer FROM sessions WHERE id = ?1
