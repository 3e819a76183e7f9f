SELECT data FROM node_sums WHERE block = ?1
