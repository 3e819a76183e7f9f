-- What ranking reads of every symbol, and all edges, in few rows that load in one go.

DROP INDEX IF EXISTS edges_by_target;
DROP TABLE edges;

-- Relationships, packed. A slot holds the edges of one layer (the pass that made them) whose sources stand in one
-- file: four times the file's id, plus the layer. File 0 stands for symbols without a file.
CREATE TABLE edges (
    slot INTEGER PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;

-- Kind, role, identity's first bytes and field lengths of every symbol of a file, packed; file 0 as above. Made from
-- `nodes` and from the search index.
CREATE TABLE heads (
    file INTEGER PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;

-- Symbols that are no definitions, which every update looks at.
CREATE INDEX nodes_outside ON nodes (kind) WHERE file IS NULL OR kind = 9;

-- There are no edges until the next run, which builds the index from nothing.
DELETE FROM meta WHERE key = 'complete';
