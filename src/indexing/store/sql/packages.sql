SELECT name, root FROM packages ORDER BY name
