-- Indexes that a bulk load creates after filling the tables. Applied after every migration.
CREATE INDEX IF NOT EXISTS commit_files_by_commit ON commit_files (commit_id);
