DELETE FROM sessions;
DELETE FROM events;
DELETE FROM feedback;
DELETE FROM learned_terms;
DELETE FROM cache;
DELETE FROM skips;
DELETE FROM meta WHERE key = 'unread';
UPDATE files SET mtime_ns = 0;
UPDATE documents SET mtime_ns = 0;
DELETE FROM snapshots WHERE id < (SELECT max(id) FROM snapshots);
UPDATE snapshots SET parent = NULL;
DELETE FROM history_paths WHERE id NOT IN (SELECT path FROM commit_files);
-- An author becomes one of the author's commits, by which whoever has the history finds the name again.
CREATE TEMP TABLE pseudonyms (author TEXT PRIMARY KEY, pseudonym TEXT NOT NULL);
INSERT INTO pseudonyms SELECT author, lower(hex(min(hash))) FROM commits GROUP BY author;
UPDATE node_history
SET last_author = coalesce((SELECT pseudonym FROM pseudonyms WHERE author = node_history.last_author), '');
UPDATE commits SET author = (SELECT pseudonym FROM pseudonyms WHERE author = commits.author);
DROP TABLE pseudonyms;
DELETE FROM meta WHERE key = 'state';
INSERT OR REPLACE INTO meta (key, value) VALUES ('published', 'yes');
-- Segments of the search index keep the terms of deleted rows until they are merged.
INSERT INTO search (search) VALUES ('optimize');
INSERT INTO section_search (section_search) VALUES ('optimize');
