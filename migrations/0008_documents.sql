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
