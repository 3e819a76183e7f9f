SELECT block, data FROM node_blocks ORDER BY block
