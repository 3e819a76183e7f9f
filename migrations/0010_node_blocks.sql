-- The file of each symbol, and the edges to it from others, by blocks of symbols: what a question about one symbol reads.
CREATE TABLE node_blocks (
    block INTEGER PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;
-- The blocks of an older index are not known; the next run rebuilds it.
DELETE FROM meta WHERE key = 'complete';
DELETE FROM cache;
