SELECT max(block) FROM symbols
