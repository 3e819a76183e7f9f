SELECT data FROM resolutions WHERE file = ?1
