-- The commits that changed a symbol's own lines, as bits: bit n stands for the commit n of the file's history, latest first.
-- They are traced again, as the version of the engine differs.
ALTER TABLE node_history ADD COLUMN own_commits INTEGER NOT NULL DEFAULT 0;
DELETE FROM node_history;
UPDATE digests SET row_count = 0, sum = 0 WHERE name = 'node_history';
