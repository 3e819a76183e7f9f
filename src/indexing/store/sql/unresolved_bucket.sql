SELECT data FROM unresolved_names WHERE bucket = ?1
