//! What git says of files and symbols, kept up to date with the branch and the working tree.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use rayon::ThreadPool;

use super::error::IndexError;
use super::rows::file_search_row;
use super::stored_texts::StoredTexts;
use crate::scan::history::{self, HistoryError, MAX_FILE_SUBJECTS, TracedFile};
use crate::store::{CommitRow, FileRow, NodeHistory, StoreError, Writer};

/// Under this name the store keeps up to where it knows the history.
const HEAD: &str = "head";
/// Stored in place of it when the history could not be read, so that the next run tries again.
const UNREAD: &str = "unread";

/// Where the history stands.
pub(super) struct Head {
    /// The commit that is checked out, in hexadecimal; empty without git.
    pub(super) commit: String,
    /// Changes with the commit and with where a shallow clone's history is cut; empty without git.
    state: String,
    /// Why git can't be asked; what is known of the history stays then.
    pub(super) problem: Option<String>,
}

/// Asks git where the history stands.
pub(super) fn head(root: &Path) -> Head {
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    match history::head(root).and_then(|head| Ok((head, history::boundary(root)?))) {
        Ok((head, boundary)) => {
            let commit = head.map_or_else(String::new, |id| hex(&id));
            let cut: Vec<u8> = boundary.iter().flatten().copied().collect();
            let shallow = if cut.is_empty() { String::new() } else { blake3::hash(&cut).to_hex().to_string() };
            Head { state: format!("{commit} {shallow}").trim().to_owned(), commit, problem: None }
        }
        Err(error) => Head { commit: String::new(), state: UNREAD.to_owned(), problem: Some(error.to_string()) },
    }
}

/// True when the store knows the history up to there.
pub(super) fn is_known(writer: &Writer, head: &Head) -> Result<bool, StoreError> {
    Ok(writer.reader().meta(HEAD)?.as_deref() == Some(&head.state))
}

/// Brings commits, the files' search text and the symbols' own history up to date. `changed` are the ids of the files
/// whose symbols were parsed or numbered anew. Gives what the user should know: a history that can't be read is no
/// obstacle, and what is known of it stays.
pub(super) fn refresh(
    root: &Path,
    head: &Head,
    changed: &HashSet<u32>,
    writer: &mut Writer,
    pool: &ThreadPool,
) -> Result<Vec<String>, IndexError> {
    let mut notes = Vec::new();
    // What changed while git could not be asked has not been followed.
    let was_unread = writer.reader().meta(HEAD)?.as_deref() == Some(UNREAD);
    let mut state = head.state.as_str();
    let mut touched = BTreeSet::new();
    if head.problem.is_none() && !is_known(writer, head)? {
        match refresh_commits(root, writer, pool, &mut notes)? {
            Some(paths) => touched = paths,
            None => state = UNREAD,
        }
    }
    let all = was_unread && state != UNREAD;
    let files: Vec<FileRow> = writer.reader().files()?;
    let files: Vec<FileRow> =
        files.into_iter().filter(|file| all || changed.contains(&file.id) || touched.contains(&file.path)).collect();
    let mut commits = Vec::with_capacity(files.len());
    for file in &files {
        let known = writer.reader().file_history(&file.path, MAX_FILE_SUBJECTS)?;
        write_file_search(writer, file, &known)?;
        commits.push(known);
    }
    if state.is_empty() {
        writer.clear_node_history()?;
    } else if state != UNREAD
        && let Some(problem) = write_traces(root, &files, &commits, writer, pool)?
    {
        notes.push(problem.to_string());
        state = UNREAD;
    }
    writer.set_meta(HEAD, state)?;
    Ok(notes)
}

/// Adds new commits and forgets those of other branches. Gives the files whose list of commits changed; nothing when
/// the history can't be read.
fn refresh_commits(
    root: &Path,
    writer: &mut Writer,
    pool: &ThreadPool,
    notes: &mut Vec<String>,
) -> Result<Option<BTreeSet<String>>, StoreError> {
    let known: HashSet<[u8; 20]> = writer.reader().commit_hashes()?.into_iter().collect();
    let log = match pool.install(|| history::read_log(root, &known)) {
        Ok(log) => log,
        Err(error) => {
            notes.push(error.to_string());
            return Ok(None);
        }
    };
    if log.unread > 0 {
        let lacks = "which touched which files is not known of them; a partial clone has no more";
        notes.push(format!("{} commits of the git history can't be read in full ({lacks})", log.unread));
    }
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
    Ok(Some(touched))
}

/// The file's own symbol is found by what its commits say, too.
fn write_file_search(writer: &mut Writer, file: &FileRow, commits: &[CommitRow]) -> Result<(), StoreError> {
    let (Some(texts), Some(placement)) =
        (writer.reader().texts_blob(file.id)?, writer.reader().placement_blob(file.id)?)
    else {
        return Ok(());
    };
    let StoredTexts { texts, .. } = texts.unpack()?;
    let Some(&node) = super::placement::unpack_placement(&placement)?.first() else { return Ok(()) };
    let subjects: Vec<&str> = commits.iter().map(|commit| commit.subject.as_str()).collect();
    writer.delete_search(node)?;
    writer.put_search(&file_search_row(&file.path, &texts.file_doc, node, &subjects.join("\n")))
}

/// Follows each symbol's lines through its file's commits. Gives what is wrong when git can't be asked.
fn write_traces(
    root: &Path,
    files: &[FileRow],
    commits: &[Vec<CommitRow>],
    writer: &mut Writer,
    pool: &ThreadPool,
) -> Result<Option<HistoryError>, IndexError> {
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
    let traces = match pool.install(|| history::trace(root, &traced)) {
        Ok(traces) => traces,
        Err(problem) => return Ok(Some(problem)),
    };
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
    Ok(None)
}
