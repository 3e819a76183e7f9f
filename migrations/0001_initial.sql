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
CREATE TABLE placements (
    file INTEGER PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    data BLOB NOT NULL
) STRICT;

-- Dependencies of a file's resolution, and its unresolved references.
CREATE TABLE resolutions (
    file INTEGER PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    data BLOB NOT NULL
) STRICT;

-- Symbols. The qualified name is not stored, since it follows from repository, file, scope and name.
CREATE TABLE nodes (
    id INTEGER PRIMARY KEY,
    identity BLOB NOT NULL CHECK (length(identity) = 16),
    file INTEGER REFERENCES files (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    kind INTEGER NOT NULL,
    name TEXT NOT NULL,
    scope TEXT NOT NULL,
    signature TEXT NOT NULL,
    doc TEXT NOT NULL,
    start_byte INTEGER NOT NULL,
    byte_length INTEGER NOT NULL,
    start_line INTEGER NOT NULL,
    line_count INTEGER NOT NULL,
    name_line INTEGER NOT NULL,
    is_test INTEGER NOT NULL,
    ordinal INTEGER NOT NULL
) STRICT;

-- Edges. `layer` is the pass that made an edge, so that a pass can replace its own. Confidence is in ten-thousandths.
CREATE TABLE edges (
    source INTEGER NOT NULL REFERENCES nodes (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    type INTEGER NOT NULL,
    target INTEGER NOT NULL REFERENCES nodes (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    provenance INTEGER NOT NULL,
    confidence INTEGER NOT NULL CHECK (confidence BETWEEN 0 AND 10000),
    layer INTEGER NOT NULL,
    PRIMARY KEY (source, type, target)
) STRICT, WITHOUT ROWID;

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

-- Git history of symbols.
CREATE TABLE node_history (
    node INTEGER PRIMARY KEY REFERENCES nodes (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    last_time INTEGER NOT NULL,
    last_author TEXT NOT NULL,
    commit_count INTEGER NOT NULL
) STRICT;

-- Current Merkle roots of the packages (files, or Go directories).
CREATE TABLE packages (
    name TEXT PRIMARY KEY,
    root BLOB NOT NULL CHECK (length(root) = 32)
) STRICT, WITHOUT ROWID;

-- Recorded states of the graph.
CREATE TABLE snapshots (
    id INTEGER PRIMARY KEY,
    root BLOB NOT NULL CHECK (length(root) = 32),
    commit_hash TEXT NOT NULL,
    parent BLOB,
    created_at INTEGER NOT NULL
) STRICT;

-- Search index, without the text. The rowid is the node's id.
CREATE VIRTUAL TABLE search USING fts5 (
    symbol_name, concepts, qualified_name, signature, file_path, doc, body, history,
    content = '', contentless_delete = 1, tokenize = "unicode61 tokenchars '_'"
);

-- Every occurrence of every term, for field-weighted scoring.
CREATE VIRTUAL TABLE search_terms USING fts5vocab ('search', 'instance');

-- User tables: feedback. They survive every index run and rebuild, so they refer to symbols by identity and qualified
-- name, never by node id.

CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    started_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE session_stamps (
    id INTEGER PRIMARY KEY,
    session TEXT NOT NULL,
    symbol BLOB NOT NULL,
    qualified_name TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;

-- One vote each: +1 useful, -1 not. `cluster` is the hash of the sorted primary keywords.
CREATE TABLE feedback (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    session TEXT NOT NULL,
    cluster TEXT NOT NULL,
    keywords TEXT NOT NULL,
    symbol BLOB NOT NULL,
    qualified_name TEXT NOT NULL,
    vote INTEGER NOT NULL CHECK (vote IN (-1, 1)),
    weight REAL NOT NULL,
    implicit INTEGER NOT NULL,
    package TEXT NOT NULL,
    package_root BLOB NOT NULL
) STRICT;

-- Learned terms: a query term and a symbol that was useful for it.
CREATE TABLE vocabulary (
    id INTEGER PRIMARY KEY,
    keyword TEXT NOT NULL,
    symbol BLOB NOT NULL,
    qualified_name TEXT NOT NULL,
    observations INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    package TEXT NOT NULL,
    package_root BLOB NOT NULL,
    UNIQUE (keyword, symbol)
) STRICT;

-- Cached values, by a key of all their inputs.
CREATE TABLE graph_notes (
    key BLOB PRIMARY KEY,
    kind TEXT NOT NULL,
    value BLOB NOT NULL,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
