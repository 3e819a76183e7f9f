//! Git history: commits, the files they changed, and the history of each symbol.

use std::collections::HashMap;

use super::error::StoreError;
use super::read::Reader;
use super::rows::{CommitRow, NodeHistory};
use super::write::Writer;
use crate::model::{CommitId, FileId, NodeId};

impl Reader {
    /// Returns the stored commits.
    ///
    /// # Errors
    /// When the database can't be read, as for every function of this file.
    pub fn commit_hashes(&self) -> Result<Vec<CommitId>, StoreError> {
        self.query_all(sql!("commit_hashes"), [], |row| row.get(0))
    }

    /// Returns the files that a commit changed.
    pub fn commit_paths(&self, hash: &CommitId) -> Result<Vec<String>, StoreError> {
        self.query_all(sql!("commit_paths"), [&hash[..]], |row| row.get(0))
    }

    /// Returns the commits that changed a file, newest first, without their paths.
    pub fn file_history(&self, path: &str, limit: usize) -> Result<Vec<CommitRow>, StoreError> {
        self.query_all(sql!("file_history"), (path, limit as i64), commit_row)
    }

    /// Returns the files that the newest commits of a file changed, with the numbers of these commits; the file itself is one.
    pub fn files_changed_with(&self, path: &str, commits: usize) -> Result<HashMap<String, u32>, StoreError> {
        let rows: Vec<(String, u32)> =
            self.query_all(sql!("files_changed_with"), (path, commits as i64), |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.into_iter().collect())
    }

    /// Returns the newest commits, newest first, without their paths.
    pub fn recent_commits(&self, limit: usize) -> Result<Vec<CommitRow>, StoreError> {
        self.query_all(sql!("recent_commits"), [limit as i64], commit_row)
    }

    /// Returns the rows and subjects of the newest commits, newest first.
    pub fn commit_subjects(&self, limit: usize) -> Result<Vec<(i64, String)>, StoreError> {
        self.query_all(sql!("commit_subjects"), [limit as i64], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// Returns the files that the commit of a row changed and that still exist.
    pub fn files_of_commit(&self, commit: i64) -> Result<Vec<FileId>, StoreError> {
        self.query_all(sql!("files_of_commit"), [commit], |row| row.get(0))
    }

    /// Returns the rows of the commits that changed a file, newest first.
    pub fn commits_of_file(&self, file: FileId, limit: usize) -> Result<Vec<i64>, StoreError> {
        self.query_all(sql!("commits_of_file"), (file, limit as i64), |row| row.get(0))
    }

    /// Returns each symbol of a file with the commits that changed its own lines, as bits.
    pub fn own_commits_of_file(&self, file: FileId) -> Result<Vec<(NodeId, u64)>, StoreError> {
        let mut commits = Vec::new();
        for run in self.nodes_of_file(file)?.chunk_by(|one, two| one.get() + 1 == two.get()) {
            let of_run = self.query_all(sql!("own_commits"), (run[0], run[run.len() - 1]), |row| {
                Ok((row.get(0)?, row.get::<_, i64>(1)? as u64))
            })?;
            commits.extend(of_run);
        }
        Ok(commits)
    }

    /// Returns the history of every symbol that has one, sorted by node.
    pub fn node_histories(&self) -> Result<Vec<NodeHistory>, StoreError> {
        self.query_all(sql!("node_histories"), [], |row| {
            Ok(NodeHistory {
                node: row.get(0)?,
                last_time: row.get(1)?,
                last_author: row.get(2)?,
                commit_count: row.get(3)?,
                own_commits: row.get::<_, i64>(4)? as u64,
            })
        })
    }

    /// Returns the commit that last changed the lines of a symbol of a file, as far as the history was followed; without
    /// its paths.
    pub fn last_commit(&self, node: NodeId, path: &str) -> Result<Option<CommitRow>, StoreError> {
        self.query_optional(sql!("last_commit"), (node, path), commit_row)
    }

    /// Returns the time of the newest commit, in seconds since 1970.
    pub fn newest_commit(&self) -> Result<Option<i64>, StoreError> {
        self.query_one(sql!("newest_commit"), [], |row| row.get(0))
    }
}

fn commit_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<CommitRow> {
    let (hash, time, author, subject) = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
    Ok(CommitRow { hash, time, author, subject, paths: Vec::new() })
}

impl Writer {
    /// Adds a commit.
    pub fn put_commit(&mut self, commit: &CommitRow) -> Result<(), StoreError> {
        let hash = &commit.hash[..];
        self.run(sql!("insert_commit"), (hash, commit.time, &commit.author, &commit.subject))?;
        commit.paths.iter().try_for_each(|path| {
            self.run(sql!("put_history_path"), [path])?;
            self.run(sql!("put_commit_file"), (path, hash))
        })
    }

    /// Removes a commit.
    pub fn delete_commit(&mut self, hash: &CommitId) -> Result<(), StoreError> {
        self.run(sql!("delete_commit_files"), [&hash[..]])?;
        self.run(sql!("delete_commit"), [&hash[..]])
    }

    /// Replaces the history of a symbol.
    pub fn put_node_history(&mut self, history: &NodeHistory) -> Result<(), StoreError> {
        let (count, own) = (history.commit_count, history.own_commits as i64);
        self.run(sql!("put_node_history"), (history.node, history.last_time, &history.last_author, count, own))
    }

    /// Removes the history of every symbol.
    pub fn clear_node_history(&mut self) -> Result<(), StoreError> {
        self.run(sql!("clear_node_history"), [])
    }

    /// Removes the history of a symbol.
    pub fn delete_node_history(&mut self, node: NodeId) -> Result<(), StoreError> {
        self.run(sql!("delete_node_history"), [node])
    }
}
