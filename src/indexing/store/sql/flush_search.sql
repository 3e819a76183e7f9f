INSERT INTO search (search) VALUES ('flush')
