SELECT data FROM symbols WHERE block = ?1
