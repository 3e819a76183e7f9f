SELECT file, hash FROM targets
