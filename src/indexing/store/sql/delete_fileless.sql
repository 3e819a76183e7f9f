DELETE FROM fileless WHERE node = ?1
