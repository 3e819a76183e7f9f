SELECT 1 FROM node_blocks WHERE block = ?1
