SELECT node, last_time, last_author, commit_count, own_commits FROM node_history ORDER BY node
