SELECT block, data FROM node_sums ORDER BY block
