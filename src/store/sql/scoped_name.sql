SELECT f.path, n.scope, n.name FROM nodes AS n JOIN files AS f ON f.id = n.file WHERE n.id = ?1
