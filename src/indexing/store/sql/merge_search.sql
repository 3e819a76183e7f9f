-- FTS5 merges a level of sixteen segments (its crisismerge) at once: without this, the third update of Linux would merge all that the
-- build wrote. Fewer than eight are left as they are, since merging takes longer than it saves.
INSERT INTO search (search, rank) VALUES ('usermerge', 8);
INSERT INTO search (search, rank) VALUES ('merge', 1000000000);
