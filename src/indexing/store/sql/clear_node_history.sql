-- The condition has each row deleted on its own, which is recorded for the digest.
DELETE FROM node_history WHERE true
