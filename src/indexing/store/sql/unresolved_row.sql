SELECT data FROM unresolved_names WHERE number = ?1
