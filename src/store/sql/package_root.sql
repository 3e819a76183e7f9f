SELECT root FROM packages WHERE name = ?1
