DELETE FROM commits WHERE hash = ?1
