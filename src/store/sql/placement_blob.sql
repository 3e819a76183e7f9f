SELECT data FROM placements WHERE file = ?1
