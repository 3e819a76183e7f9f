-- Packs the symbol metadata that ranking loads, and all edges, into few rows.

DROP INDEX IF EXISTS edges_by_target;
DROP TABLE edges;

-- Packed edges. A slot contains the edges of one layer (the pass that made them) whose sources belong to one file. Its
-- number is four times the file's id plus the layer. File 0: symbols without a file.
CREATE TABLE edges (
    slot INTEGER PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;

-- Packed kind, test flag, identity prefix and field lengths of the symbols of a file; file 0 as above. Derived from
-- `nodes` and the search index.
CREATE TABLE heads (
    file INTEGER PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;

-- Symbols that are not definitions, which every update reads.
CREATE INDEX nodes_outside ON nodes (kind) WHERE file IS NULL OR kind = 9;

-- Edges are missing until the next run, which rebuilds the index.
DELETE FROM meta WHERE key = 'complete';
