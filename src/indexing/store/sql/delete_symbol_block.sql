DELETE FROM symbols WHERE block = ?1
