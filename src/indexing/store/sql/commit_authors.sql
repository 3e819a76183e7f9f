SELECT hash, author FROM commits ORDER BY hash
