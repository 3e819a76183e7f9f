UPDATE node_history
SET last_author = (SELECT author FROM names WHERE pseudonym = node_history.last_author)
WHERE last_author IN (SELECT pseudonym FROM names);
UPDATE commits
SET author = (SELECT author FROM names WHERE pseudonym = commits.author)
WHERE author IN (SELECT pseudonym FROM names);
DROP TABLE names;
DELETE FROM meta WHERE key = 'published';
