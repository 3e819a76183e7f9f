-- A level of sixteen segments is merged at once: without this, the third update of Linux would merge all that its build wrote.
INSERT INTO search (search, rank) VALUES ('usermerge', 8);
INSERT INTO search (search, rank) VALUES ('merge', 1000000000);
