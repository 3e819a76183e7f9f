INSERT INTO search (search) VALUES ('flush');
INSERT INTO section_search (section_search) VALUES ('flush')
