DELETE FROM targets WHERE file = ?1
