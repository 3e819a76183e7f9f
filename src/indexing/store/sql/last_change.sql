SELECT last_time FROM node_history WHERE node = ?1
