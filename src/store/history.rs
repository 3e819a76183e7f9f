//! Git history: commits, the files they touched, and each symbol's own.

use super::error::StoreError;
use super::read::Reader;
use super::rows::{CommitRow, NodeHistory};
use super::write::Writer;

/// A commit's name: its SHA-1.
pub type CommitHash = [u8; 20];

impl Reader {
    /// The commits that are known.
    ///
    /// # Errors
    /// When the database can't be read; likewise for every function here.
    pub fn commit_hashes(&self) -> Result<Vec<CommitHash>, StoreError> {
        self.rows(sql!("commit_hashes"), [], |row| row.get(0))
    }

    /// The files that a commit touched.
    pub fn commit_paths(&self, hash: &CommitHash) -> Result<Vec<String>, StoreError> {
        self.rows(sql!("commit_paths"), [&hash[..]], |row| row.get(0))
    }

    /// The commits that touched a file, the newest first, without their paths.
    pub fn file_history(&self, path: &str, limit: usize) -> Result<Vec<CommitRow>, StoreError> {
        self.rows(sql!("file_history"), (path, limit as i64), |row| {
            Ok(CommitRow {
                hash: row.get(0)?,
                time: row.get(1)?,
                author: row.get(2)?,
                subject: row.get(3)?,
                paths: Vec::new(),
            })
        })
    }

    /// What is known of the symbols' own commits, by node.
    pub fn node_histories(&self) -> Result<Vec<NodeHistory>, StoreError> {
        self.rows(sql!("node_histories"), [], |row| {
            Ok(NodeHistory {
                node: row.get(0)?,
                last_time: row.get(1)?,
                last_author: row.get(2)?,
                commit_count: row.get(3)?,
            })
        })
    }

    /// When a symbol's own lines last changed, in seconds since 1970.
    pub fn last_change(&self, node: u32) -> Result<Option<i64>, StoreError> {
        self.maybe(sql!("last_change"), [node], |row| row.get(0))
    }

    /// When the newest commit was made, in seconds since 1970.
    pub fn newest_commit(&self) -> Result<Option<i64>, StoreError> {
        self.one(sql!("newest_commit"), [], |row| row.get(0))
    }

    /// Node, first and last line of each definition of a file.
    pub fn lines_of_file(&self, file: u32) -> Result<Vec<(u32, u32, u32)>, StoreError> {
        self.rows(sql!("lines_of_file"), [file], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
    }
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

    /// Forgets a commit.
    pub fn delete_commit(&mut self, hash: &CommitHash) -> Result<(), StoreError> {
        self.run(sql!("delete_commit_files"), [&hash[..]])?;
        self.run(sql!("delete_commit"), [&hash[..]])
    }

    /// Replaces what is known of a symbol's own commits.
    pub fn put_node_history(&mut self, history: &NodeHistory) -> Result<(), StoreError> {
        let count = history.commit_count;
        self.run(sql!("put_node_history"), (history.node, history.last_time, &history.last_author, count))
    }

    /// Forgets every symbol's own commits.
    pub fn clear_node_history(&mut self) -> Result<(), StoreError> {
        self.run(sql!("clear_node_history"), [])
    }

    /// Forgets a symbol's own commits.
    pub fn delete_node_history(&mut self, node: u32) -> Result<(), StoreError> {
        self.run(sql!("delete_node_history"), [node])
    }
}
