INSERT OR REPLACE INTO meta (key, value) VALUES ('state', lower(hex(randomblob(16))))
