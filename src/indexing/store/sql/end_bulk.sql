INSERT INTO search (search, rank) VALUES ('automerge', 4);
INSERT INTO search (search, rank) VALUES ('hashsize', 1048576);
