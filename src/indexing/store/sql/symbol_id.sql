SELECT identity FROM nodes WHERE id = ?1
