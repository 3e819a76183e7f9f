SELECT node, own_commits FROM node_history WHERE node BETWEEN ?1 AND ?2 AND own_commits <> 0 ORDER BY node
