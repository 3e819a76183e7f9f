SELECT node, last_time, last_author, commit_count FROM node_history ORDER BY node
