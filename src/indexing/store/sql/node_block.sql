SELECT data FROM node_blocks WHERE block = ?1
