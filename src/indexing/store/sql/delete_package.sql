DELETE FROM packages WHERE name = ?1
