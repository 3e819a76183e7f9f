SELECT max(number) FROM file_names
