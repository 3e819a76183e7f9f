DELETE FROM node_sums WHERE block = ?1
