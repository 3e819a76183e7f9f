-- What users taught, as a journal: an entry for each act, and what it says of symbols (`feedback`) or of words
-- (`vocabulary`). Entries are added, undone and done again, never changed: what counts is computed from those that stand.
-- Symbols go by identity and qualified name, never by node, so that this survives every re-index and rebuild.

-- `batch` is the first of the entries that are undone together. `revision` grows with every change of the journal.
CREATE TABLE acts (
    id INTEGER PRIMARY KEY,
    batch INTEGER NOT NULL,
    at INTEGER NOT NULL,
    session TEXT NOT NULL,
    kind TEXT NOT NULL,
    task TEXT NOT NULL,
    cluster TEXT NOT NULL,
    keywords TEXT NOT NULL,
    undone INTEGER NOT NULL,
    revision INTEGER NOT NULL
) STRICT;

INSERT INTO acts (id, batch, at, session, kind, task, cluster, keywords, undone, revision)
SELECT id, id, at, session, CASE implicit WHEN 0 THEN 'vote' ELSE 'open' END, keywords, cluster, keywords, 0, id FROM feedback;

INSERT INTO acts (id, batch, at, session, kind, task, cluster, keywords, undone, revision)
SELECT
    id + (SELECT COALESCE(MAX(id), 0) FROM feedback), id + (SELECT COALESCE(MAX(id), 0) FROM feedback),
    last_at, '', 'words', '', '', '', 0, id + (SELECT COALESCE(MAX(id), 0) FROM feedback)
FROM vocabulary;

-- 1 useful, -1 not, 0 an earlier vote is taken back.
ALTER TABLE feedback RENAME TO feedback_before;
CREATE TABLE feedback (
    id INTEGER PRIMARY KEY,
    act INTEGER NOT NULL,
    symbol BLOB NOT NULL,
    qualified_name TEXT NOT NULL,
    vote INTEGER NOT NULL CHECK (vote IN (-1, 0, 1)),
    package TEXT NOT NULL,
    package_root BLOB NOT NULL
) STRICT;
INSERT INTO feedback (act, symbol, qualified_name, vote, package, package_root)
SELECT id, symbol, qualified_name, vote, package, package_root FROM feedback_before ORDER BY id;

-- Words that were brought in, or with no observations forgotten. Those that were learned here follow from `feedback`.
ALTER TABLE vocabulary RENAME TO vocabulary_before;
CREATE TABLE vocabulary (
    id INTEGER PRIMARY KEY,
    act INTEGER NOT NULL,
    keyword TEXT NOT NULL,
    symbol BLOB NOT NULL,
    qualified_name TEXT NOT NULL,
    observations INTEGER NOT NULL,
    package TEXT NOT NULL,
    package_root BLOB NOT NULL
) STRICT;
INSERT INTO vocabulary (act, keyword, symbol, qualified_name, observations, package, package_root)
SELECT
    id + (SELECT COALESCE(MAX(id), 0) FROM feedback_before), keyword, symbol, qualified_name, observations, package,
    package_root
FROM vocabulary_before ORDER BY id;

DROP TABLE feedback_before;
DROP TABLE vocabulary_before;
-- When a symbol was used follows from the journal.
DROP TABLE session_stamps;

-- The task that a session was last answered, and the first symbols of the answer.
ALTER TABLE sessions ADD COLUMN shown TEXT NOT NULL DEFAULT '';
