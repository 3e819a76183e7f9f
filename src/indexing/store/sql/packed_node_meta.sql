SELECT file, data FROM node_meta ORDER BY file
