SELECT name, root FROM packages
