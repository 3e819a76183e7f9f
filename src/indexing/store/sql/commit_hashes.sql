SELECT hash FROM commits ORDER BY hash
