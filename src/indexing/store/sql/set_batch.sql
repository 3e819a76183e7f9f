UPDATE events SET batch = id WHERE id = ?1
