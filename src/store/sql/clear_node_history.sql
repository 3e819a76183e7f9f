DELETE FROM node_history
