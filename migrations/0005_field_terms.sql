-- Renames tables, columns and an index to the terms that the code uses. No row changes.

ALTER TABLE heads RENAME TO node_meta;
ALTER TABLE placements RENAME TO file_nodes;
ALTER TABLE graph_notes RENAME TO cache;

-- Symbols that are not definitions: those without a file, and routes (kind 9).
DROP INDEX IF EXISTS nodes_outside;
CREATE INDEX nodes_fileless ON nodes (kind) WHERE file IS NULL OR kind = 9;

-- The feedback journal: one row of `events` for each event, and its votes (`feedback`) or learned terms.
ALTER TABLE acts RENAME TO events;
ALTER TABLE feedback RENAME COLUMN act TO event;
ALTER TABLE vocabulary RENAME TO learned_terms;
ALTER TABLE learned_terms RENAME COLUMN act TO event;
ALTER TABLE learned_terms RENAME COLUMN keyword TO term;

-- The last task of a session and the first symbols of its answer, as JSON.
ALTER TABLE sessions RENAME COLUMN shown TO last_answer;
