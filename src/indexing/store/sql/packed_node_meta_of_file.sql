SELECT data FROM node_meta WHERE file = ?1
