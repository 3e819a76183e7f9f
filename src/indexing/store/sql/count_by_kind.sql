SELECT kind, count(*) FROM nodes GROUP BY kind ORDER BY kind
