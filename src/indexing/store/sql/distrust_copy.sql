DELETE FROM sessions;
DELETE FROM events;
DELETE FROM feedback;
DELETE FROM learned_terms;
DELETE FROM cache;
DELETE FROM skips;
DELETE FROM meta WHERE key = 'unread';
UPDATE files SET mtime_ns = 0 WHERE mtime_ns <> 0;
INSERT OR REPLACE INTO meta (key, value) VALUES ('published', 'yes');
