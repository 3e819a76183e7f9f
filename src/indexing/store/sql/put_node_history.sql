INSERT INTO node_history (node, last_time, last_author, commit_count, own_commits) VALUES (?1, ?2, ?3, ?4, ?5)
ON CONFLICT (node) DO UPDATE SET last_time = excluded.last_time, last_author = excluded.last_author,
    commit_count = excluded.commit_count, own_commits = excluded.own_commits
