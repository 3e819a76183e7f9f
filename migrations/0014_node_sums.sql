-- Sums over the edges of each node, by blocks of nodes: what a ranking asks about all of them.
CREATE TABLE node_sums (
    block INTEGER PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;
-- Those of an older index are not known; the next run rebuilds it.
DELETE FROM meta WHERE key = 'complete';
DELETE FROM cache;
