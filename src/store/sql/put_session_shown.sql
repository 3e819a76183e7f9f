UPDATE sessions SET shown = ?2 WHERE id = ?1
