-- Symbols by blocks of node ids, those without a definition, and the nodes of each name: in place of a table with a row for each
-- symbol and its indexes. History of a symbol is deleted by the program.
DROP TABLE node_history;
DROP TABLE nodes;
CREATE TABLE node_history (
    node INTEGER PRIMARY KEY,
    last_time INTEGER NOT NULL,
    last_author TEXT NOT NULL,
    commit_count INTEGER NOT NULL,
    own_commits INTEGER NOT NULL
) STRICT;
CREATE TABLE symbols (
    block INTEGER PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;
CREATE TABLE fileless (
    node INTEGER PRIMARY KEY,
    file INTEGER NOT NULL
) STRICT;
CREATE INDEX fileless_by_file ON fileless (file);
CREATE TABLE symbol_names (
    id INTEGER PRIMARY KEY,
    first TEXT NOT NULL UNIQUE,
    data BLOB NOT NULL
) STRICT;
DELETE FROM digests WHERE name IN ('nodes', 'node_history');
-- An older index is not known in this form; the next run rebuilds it.
DELETE FROM meta WHERE key = 'complete';
DELETE FROM cache;
