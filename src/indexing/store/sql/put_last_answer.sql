UPDATE sessions SET last_answer = ?2 WHERE id = ?1
