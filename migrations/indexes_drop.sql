-- Drops the large indexes of indexes_create.sql before a bulk load.
DROP INDEX IF EXISTS commit_files_by_commit;
