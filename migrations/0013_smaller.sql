-- The search index with columns and frequencies as parts of the terms, which leaves rows alone. Facts have another form, too.
DROP TABLE search_terms;
DROP TABLE search;
CREATE VIRTUAL TABLE search USING fts5 (
    terms, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_:'"
);
CREATE VIRTUAL TABLE search_terms USING fts5vocab ('search', 'instance');
DELETE FROM digests WHERE name LIKE 'search%';
-- An older index is not known in this form; the next run rebuilds it.
DELETE FROM meta WHERE key = 'complete';
DELETE FROM cache;
