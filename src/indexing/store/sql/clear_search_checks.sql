DELETE FROM search_checks
