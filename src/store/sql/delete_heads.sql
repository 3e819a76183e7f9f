DELETE FROM heads WHERE file = ?1
