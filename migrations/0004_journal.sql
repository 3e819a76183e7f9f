-- Feedback as an event log: events (`acts`), their votes on symbols (`feedback`) and their learned terms (`vocabulary`).
-- Events are appended, undone and redone, never changed; the feedback state is computed from those not undone. Symbols
-- are named by identity and qualified name, never by node id, so that the log survives every index run and rebuild.

-- `batch` is the id of the first event of those undone together. `revision` increases with every change of the journal.
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

-- 1: useful, -1: not useful, 0: clears earlier votes.
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

-- Imported terms, or, with 0 observations, forgotten ones. Terms learned here follow from `feedback`.
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
-- The journal has the times of use.
DROP TABLE session_stamps;

-- The last task of a session and the first symbols of its answer.
ALTER TABLE sessions ADD COLUMN shown TEXT NOT NULL DEFAULT '';
