DELETE FROM search_checks WHERE id = ?1
