SELECT file, data FROM resolutions ORDER BY file
