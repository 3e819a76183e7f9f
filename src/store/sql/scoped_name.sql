SELECT f.path, n.scope, n.name, n.line_count FROM nodes AS n JOIN files AS f ON f.id = n.file WHERE n.id = ?1
