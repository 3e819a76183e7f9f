-- The digest has the number of symbols that were committed.
SELECT coalesce((SELECT max(id) FROM nodes) > 2 * (SELECT row_count FROM digests WHERE name = 'nodes') + 1000, 0)
