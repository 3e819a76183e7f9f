DELETE FROM packages WHERE number = ?1
