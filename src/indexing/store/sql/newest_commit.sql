SELECT max(time) FROM commits
