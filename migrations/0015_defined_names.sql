-- Names by which other files can find what a file defines, in languages whose files include the texts of others.
CREATE TABLE defined_names (
    file INTEGER PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    data BLOB NOT NULL
) STRICT;
-- Those of an older index are not known; the next run rebuilds it.
DELETE FROM meta WHERE key = 'complete';
DELETE FROM cache;
