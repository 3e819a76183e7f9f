SELECT rowid, -bm25(search, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) AS score
FROM search
WHERE search MATCH ?1
ORDER BY score DESC
