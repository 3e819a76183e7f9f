-- The checksum of each row of `search_data`, of which a ranking reads few.
CREATE TABLE search_checks (
    id INTEGER PRIMARY KEY,
    checksum INTEGER NOT NULL
) STRICT;
-- Rows without a checksum can't be read; the next run rebuilds the index.
DELETE FROM meta WHERE key = 'complete';
DELETE FROM cache;
