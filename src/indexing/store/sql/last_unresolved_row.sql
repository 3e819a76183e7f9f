SELECT max(number) FROM unresolved_names
