//! What git says of files and symbols, kept up to date with the branch and the working tree.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use rayon::ThreadPool;

use super::error::IndexError;
use super::rows::file_search_row;
use super::stored_texts::StoredTexts;
use crate::scan::history::{self, MAX_FILE_SUBJECTS, TracedFile};
use crate::store::{CommitRow, FileRow, NodeHistory, StoreError, Writer};

/// Under this name the store keeps the commit up to which it knows the history.
const HEAD: &str = "head";

/// The commit that is checked out, in hexadecimal; empty without git. A history that can't be read is none.
pub(super) fn head(root: &Path) -> (String, Option<String>) {
    match history::head(root) {
        Ok(head) => (head.map_or_else(String::new, |id| id.iter().map(|byte| format!("{byte:02x}")).collect()), None),
        Err(error) => (String::new(), Some(error.to_string())),
    }
}

/// True when the store knows the history of this commit.
pub(super) fn is_known(writer: &Writer, head: &str) -> Result<bool, StoreError> {
    Ok(writer.reader().meta(HEAD)?.as_deref() == Some(head))
}

/// Brings commits, the files' search text and the symbols' own history up to date. `changed` are the ids of the files
/// that were parsed now.
pub(super) fn refresh(
    root: &Path,
    head: &str,
    changed: &HashSet<u32>,
    writer: &mut Writer,
    pool: &ThreadPool,
) -> Result<(), IndexError> {
    let touched = if is_known(writer, head)? { BTreeSet::new() } else { refresh_commits(root, writer, pool)? };
    writer.set_meta(HEAD, head)?;
    let files: Vec<FileRow> = writer.reader().files()?;
    let files: Vec<FileRow> =
        files.into_iter().filter(|file| changed.contains(&file.id) || touched.contains(&file.path)).collect();
    let mut commits = Vec::with_capacity(files.len());
    for file in &files {
        let known = writer.reader().file_history(&file.path, MAX_FILE_SUBJECTS)?;
        write_file_search(writer, file, &known)?;
        commits.push(known);
    }
    if head.is_empty() {
        return Ok(());
    }
    write_traces(root, &files, &commits, writer, pool)
}

/// Adds new commits and forgets those of other branches. Gives the files whose list of commits changed.
fn refresh_commits(root: &Path, writer: &mut Writer, pool: &ThreadPool) -> Result<BTreeSet<String>, StoreError> {
    let known: HashSet<[u8; 20]> = writer.reader().commit_hashes()?.into_iter().collect();
    // Indexing goes on without a history that can't be read; the report says so.
    let log = pool.install(|| history::read_log(root, &known)).unwrap_or_default();
    let current: HashSet<[u8; 20]> = log.order.iter().copied().collect();
    let mut touched = BTreeSet::new();
    let mut gone: Vec<&[u8; 20]> = known.difference(&current).collect();
    gone.sort_unstable();
    for hash in gone {
        touched.extend(writer.reader().commit_paths(hash)?);
        writer.delete_commit(hash)?;
    }
    for commit in log.new {
        touched.extend(commit.paths.iter().cloned());
        let (hash, time) = (commit.id, commit.time);
        let row = CommitRow { hash, time, author: commit.author, subject: commit.subject, paths: commit.paths };
        writer.put_commit(&row)?;
    }
    Ok(touched)
}

/// The file's own symbol is found by what its commits say, too.
fn write_file_search(writer: &mut Writer, file: &FileRow, commits: &[CommitRow]) -> Result<(), StoreError> {
    let (Some(texts), Some(placement)) =
        (writer.reader().texts_blob(file.id)?, writer.reader().placement_blob(file.id)?)
    else {
        return Ok(());
    };
    let StoredTexts { texts, .. } = texts.unpack()?;
    let Some(&node) = super::catalog::unpack_placement(&placement)?.first() else { return Ok(()) };
    let subjects: Vec<&str> = commits.iter().map(|commit| commit.subject.as_str()).collect();
    writer.delete_search(node)?;
    writer.put_search(&file_search_row(&file.path, &texts.file_doc, node, &subjects.join("\n")))
}

/// Follows each symbol's lines through its file's commits.
fn write_traces(
    root: &Path,
    files: &[FileRow],
    commits: &[Vec<CommitRow>],
    writer: &mut Writer,
    pool: &ThreadPool,
) -> Result<(), IndexError> {
    let texts: Vec<String> = pool.install(|| {
        use rayon::prelude::*;
        let read =
            |file: &FileRow| crate::scan::read(root, &file.path).map_or_else(|_| String::new(), |content| content.text);
        files.par_iter().map(read).collect()
    });
    let mut nodes = Vec::with_capacity(files.len());
    let mut traced = Vec::with_capacity(files.len());
    for ((file, commits), text) in files.iter().zip(commits).zip(&texts) {
        let lines = writer.reader().lines_of_file(file.id)?;
        traced.push(TracedFile {
            path: &file.path,
            text,
            lines: lines.iter().map(|&(_, first, last)| (first, last)).collect(),
            commits: commits.iter().map(|commit| commit.hash).collect(),
        });
        nodes.push(lines);
    }
    // Likewise: a history that can't be read leaves symbols without one.
    let traces = pool.install(|| history::trace(root, &traced)).unwrap_or_default();
    for ((nodes, traces), commits) in nodes.iter().zip(&traces).zip(commits) {
        for (&(node, ..), trace) in nodes.iter().zip(traces) {
            match trace.last.and_then(|last| commits.get(last)) {
                Some(last) => writer.put_node_history(&NodeHistory {
                    node,
                    last_time: last.time,
                    last_author: last.author.clone(),
                    commit_count: trace.commits,
                })?,
                None => writer.delete_node_history(node)?,
            }
        }
    }
    Ok(())
}
