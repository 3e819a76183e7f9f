-- The index. All tables up to the user tables can be rebuilt from the repository.

-- Metadata of the index, by key.
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Indexed files. Size and time detect unchanged files without reading them.
CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    language TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    content_hash BLOB NOT NULL CHECK (length(content_hash) = 32)
) STRICT;

-- Skipped files and the reason. Size and time (0 when unknown) detect unchanged files.
CREATE TABLE skips (
    path TEXT PRIMARY KEY,
    reason TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Hashes of the manifests that resolution read, to detect changes.
CREATE TABLE manifests (
    path TEXT PRIMARY KEY,
    content_hash BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- Facts of a file in three parts that are loaded at different times. Compressed.
CREATE TABLE outlines (
    file INTEGER PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    data BLOB NOT NULL
) STRICT;
CREATE TABLE codes (
    file INTEGER PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    data BLOB NOT NULL
) STRICT;
CREATE TABLE texts (
    file INTEGER PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    data BLOB NOT NULL
) STRICT;

-- Node ids of a file's own symbol and of its definitions, in outline order. Compressed.
CREATE TABLE "file_nodes" (
    file INTEGER PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    data BLOB NOT NULL
) STRICT;

-- Dependencies of a file's resolution, and its unresolved references.
CREATE TABLE resolutions (
    file INTEGER PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    data BLOB NOT NULL
) STRICT;

-- What the extension blocks and globs of a file lead to, as a hash, if it has any.
CREATE TABLE targets (
    file INTEGER PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    hash INTEGER NOT NULL
) STRICT;

-- The files that use each name that resolution does not know, by the hash of the name: one row for 256 equal parts of all hashes.
CREATE TABLE unresolved_names (
    number INTEGER PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;

-- The files that define each name, mention it, or for which it was looked up, by the hash of the name: one row for 1024 equal parts of
-- all hashes.
CREATE TABLE file_names (
    number INTEGER PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;

-- Symbols by blocks of node ids, those without a definition, and the nodes of each name. The qualified name is not stored, since it
-- follows from repository, file, scope and name.
CREATE TABLE symbols (
    block INTEGER PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;
CREATE TABLE fileless (
    node INTEGER PRIMARY KEY,
    file INTEGER NOT NULL
) STRICT;
CREATE INDEX fileless_by_file ON fileless (file);
CREATE TABLE symbol_names (
    id INTEGER PRIMARY KEY,
    first TEXT NOT NULL UNIQUE,
    data BLOB NOT NULL
) STRICT;

-- Packed kind, test flag, identity prefix and field lengths of the symbols of a file; file 0: symbols without a file.
CREATE TABLE "node_meta" (
    file INTEGER PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;

-- Packed edges. A slot contains the edges of one layer (the pass that made them) whose sources belong to one file. Its
-- number is four times the file's id plus the layer. File 0: symbols without a file.
CREATE TABLE edges (
    slot INTEGER PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;

-- The file of each symbol, and the edges to it from others, by blocks of symbols: what a question about one symbol reads.
CREATE TABLE node_blocks (
    block INTEGER PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;

-- Sums over the edges of each node, by blocks of nodes: what a ranking asks about all of them.
CREATE TABLE node_sums (
    block INTEGER PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;

-- Git history: commits, and the files they changed.
CREATE TABLE commits (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    time INTEGER NOT NULL,
    author TEXT NOT NULL,
    subject TEXT NOT NULL
) STRICT;
CREATE TABLE history_paths (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE commit_files (
    path INTEGER NOT NULL REFERENCES history_paths (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    commit_id INTEGER NOT NULL REFERENCES commits (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    PRIMARY KEY (path, commit_id)
) STRICT, WITHOUT ROWID;

-- Git history of symbols. The commits that changed a symbol's own lines are bits: bit n stands for the commit n of the file's
-- history, latest first. The program deletes the rows.
CREATE TABLE node_history (
    node INTEGER PRIMARY KEY,
    last_time INTEGER NOT NULL,
    last_author TEXT NOT NULL,
    commit_count INTEGER NOT NULL,
    own_commits INTEGER NOT NULL
) STRICT;

-- Current Merkle roots of the packages (files, or Go directories). The number is a hash of the name.
CREATE TABLE packages (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    root BLOB NOT NULL CHECK (length(root) = 32)
) STRICT;

-- Recorded states of the graph.
CREATE TABLE snapshots (
    id INTEGER PRIMARY KEY,
    root BLOB NOT NULL CHECK (length(root) = 32),
    commit_hash TEXT NOT NULL,
    parent BLOB,
    created_at INTEGER NOT NULL
) STRICT;

-- Search index, without the text, with columns and frequencies as parts of the terms. The rowid is the node's id.
CREATE VIRTUAL TABLE search USING fts5 (
    terms, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_:'"
);

-- Every occurrence of every term, for field-weighted scoring.
CREATE VIRTUAL TABLE search_terms USING fts5vocab ('search', 'instance');

-- The checksum of each row of `search_data`, of which a ranking reads few.
CREATE TABLE search_checks (
    id INTEGER PRIMARY KEY,
    checksum INTEGER NOT NULL
) STRICT;

-- Documents with their sections, and the text of the sections: row `document * 8192 + section` of the search table.
CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    content_hash BLOB NOT NULL CHECK (length(content_hash) = 32),
    sections INTEGER NOT NULL,
    data BLOB NOT NULL
) STRICT;
CREATE VIRTUAL TABLE section_search USING fts5 (
    heading, ancestors, prose, code, cites,
    content = '', contentless_delete = 1, tokenize = "unicode61 tokenchars '_'"
);

-- Number of rows, and sum of the rows' checksums, by table. A writer adds and subtracts what it changes, so a row that
-- is lost or changed in any other way shows.
CREATE TABLE digests (
    name TEXT PRIMARY KEY,
    row_count INTEGER NOT NULL,
    sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Cached values, by a key of all their inputs.
CREATE TABLE "cache" (
    key BLOB PRIMARY KEY,
    kind TEXT NOT NULL,
    value BLOB NOT NULL,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- User tables: feedback as an event log: events, their votes on symbols and their learned terms. Events are appended, undone and
-- redone, never changed; the feedback state is computed from those not undone. They survive every index run and rebuild, so they
-- refer to symbols by identity and qualified name, never by node id. `checksum` is that of the other columns.

-- The last task of a session and the first symbols of its answer, as JSON.
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    started_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL
, last_answer TEXT NOT NULL DEFAULT '') STRICT, WITHOUT ROWID;

-- `batch` is the id of the first event of those undone together. `revision` increases with every change of the journal.
CREATE TABLE "events" (
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
, checksum INTEGER) STRICT;

-- Finds the events of a batch, and the last revision.
CREATE INDEX events_by_batch ON events (batch);
CREATE INDEX events_by_revision ON events (revision);

-- 1: useful, -1: not useful, 0: clears earlier votes.
CREATE TABLE feedback (
    id INTEGER PRIMARY KEY,
    event INTEGER NOT NULL,
    symbol BLOB NOT NULL,
    qualified_name TEXT NOT NULL,
    vote INTEGER NOT NULL CHECK (vote IN (-1, 0, 1)),
    package TEXT NOT NULL,
    package_root BLOB NOT NULL
, checksum INTEGER) STRICT;

-- Imported terms, or, with 0 observations, forgotten ones. Terms learned here follow from `feedback`.
CREATE TABLE "learned_terms" (
    id INTEGER PRIMARY KEY,
    event INTEGER NOT NULL,
    term TEXT NOT NULL,
    symbol BLOB NOT NULL,
    qualified_name TEXT NOT NULL,
    observations INTEGER NOT NULL,
    package TEXT NOT NULL,
    package_root BLOB NOT NULL
, checksum INTEGER) STRICT;
