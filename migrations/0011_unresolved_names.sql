-- The files that use each name that resolution does not know, by the hash of the name: one row for 256 equal parts of all hashes.
CREATE TABLE unresolved_names (
    bucket INTEGER PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;
-- Those of an older index are not known; the next run rebuilds it.
DELETE FROM meta WHERE key = 'complete';
DELETE FROM cache;
