SELECT shown FROM sessions WHERE id = ?1
