-- Indexes that a build from nothing makes after loading the tables. Applied after every migration.
CREATE INDEX IF NOT EXISTS nodes_by_name ON nodes (name COLLATE NOCASE);
CREATE INDEX IF NOT EXISTS nodes_by_file ON nodes (file);
CREATE INDEX IF NOT EXISTS commit_files_by_commit ON commit_files (commit_id);
CREATE INDEX IF NOT EXISTS feedback_by_symbol ON feedback (symbol);
CREATE INDEX IF NOT EXISTS vocabulary_by_symbol ON vocabulary (symbol);
CREATE INDEX IF NOT EXISTS session_stamps_by_session ON session_stamps (session, symbol);
