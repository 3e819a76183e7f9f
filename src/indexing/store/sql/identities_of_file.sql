SELECT id, identity FROM nodes WHERE file = ?1 AND kind <> 9 ORDER BY id
