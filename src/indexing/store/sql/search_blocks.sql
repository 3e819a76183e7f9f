SELECT block FROM search_data WHERE id BETWEEN ?1 AND ?2 ORDER BY id
