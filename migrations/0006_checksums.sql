-- Checksums, by which damage is detected that SQLite's own structure does not show.

-- Checksum of the other columns.
ALTER TABLE nodes ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;

-- Number of rows, and sum of the rows' checksums, by table. A writer adds and subtracts what it changes, so a row that
-- is lost or changed in any other way shows.
CREATE TABLE digests (
    name TEXT PRIMARY KEY,
    row_count INTEGER NOT NULL,
    sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The journal. `row_checksum` is a function of the program.
ALTER TABLE events ADD COLUMN checksum INTEGER;
ALTER TABLE feedback ADD COLUMN checksum INTEGER;
ALTER TABLE learned_terms ADD COLUMN checksum INTEGER;
UPDATE events SET checksum = row_checksum(
    'events', id, batch, at, session, kind, task, cluster, keywords, undone, revision
);
UPDATE feedback SET checksum = row_checksum('feedback', event, symbol, qualified_name, vote, package, package_root);
UPDATE learned_terms SET checksum = row_checksum(
    'learned_terms', event, term, symbol, qualified_name, observations, package, package_root
);
-- Finds the events of a batch, and the last revision.
CREATE INDEX events_by_batch ON events (batch);
CREATE INDEX events_by_revision ON events (revision);

-- Packed rows without a checksum can't be read; the next run rebuilds the index.
DELETE FROM meta WHERE key = 'complete';
DELETE FROM cache;
