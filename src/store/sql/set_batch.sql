UPDATE acts SET batch = id WHERE id = ?1
