SELECT id FROM nodes
