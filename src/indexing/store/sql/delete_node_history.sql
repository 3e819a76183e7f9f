DELETE FROM node_history WHERE node = ?1
