SELECT block FROM search_data WHERE id = ?1
