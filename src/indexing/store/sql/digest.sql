SELECT row_count, sum FROM digests WHERE name = ?1
