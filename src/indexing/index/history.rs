//! Keeps git history of files and symbols up to date with the branch and the working tree.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use rayon::ThreadPool;

use super::error::IndexError;
use super::report::WriteProgress;
use super::rows::file_search_row;
use super::texts::StoredTexts;
use crate::model::{CommitId, FileId, NodeId};
use crate::scan::history::{self, HistoryError, MAX_FILE_SUBJECTS, TracedFile};
use crate::store::{CommitRow, FileRow, NodeHistory, Reader, StoreError, Writer};

/// Key in `meta` of the history's state.
const HEAD: &str = "head";
/// State stored when the history could not be read, so that the next run tries again.
const UNREADABLE: &str = "unread";

/// Number of steps of a file's history for progress: reading its commits, and tracing its symbols.
pub(super) const HISTORY_STEPS: usize = 2;

/// The checked-out commit and the extent of the history.
pub(super) struct GitHead {
    /// The checked-out commit in hexadecimal; empty without git.
    pub(super) commit: String,
    /// Differs when the commit or the boundary of a shallow clone differs; empty without git.
    state: String,
    /// Why git can't be read. The stored history is kept then.
    pub(super) problem: Option<String>,
}

impl GitHead {
    /// Returns the state of a history that is left out.
    pub(super) fn unread() -> GitHead {
        let problem = Some("the history is left out".to_owned());
        GitHead { commit: String::new(), state: UNREADABLE.to_owned(), problem }
    }
}

/// Reads the checked-out commit and the boundary of a shallow clone.
pub(super) fn head(root: &Path) -> GitHead {
    match history::head(root).and_then(|head| Ok((head, history::boundary(root)?))) {
        Ok((head, boundary)) => {
            let commit = head.map_or_else(String::new, hex::encode);
            let cut: Vec<u8> = boundary.iter().flatten().copied().collect();
            let shallow = if cut.is_empty() { String::new() } else { blake3::hash(&cut).to_hex().to_string() };
            GitHead { state: format!("{commit} {shallow}").trim().to_owned(), commit, problem: None }
        }
        Err(error) => GitHead { commit: String::new(), state: UNREADABLE.to_owned(), problem: Some(error.to_string()) },
    }
}

/// Returns whether the stored history is up to date, with its authors.
pub(super) fn is_known(reader: &Reader, head: &GitHead) -> Result<bool, StoreError> {
    Ok(reader.meta(HEAD)?.as_deref() == Some(&head.state) && !reader.has_pseudonyms()?)
}

/// Finds the authors of a copy from another machine, which has commits instead of their names. Commits that this
/// repository does not have are deleted by [`refresh`].
fn name_authors(root: &Path, head: &GitHead, writer: &mut Writer) -> Result<(), StoreError> {
    if head.problem.is_some() || !writer.reader().has_pseudonyms()? {
        return Ok(());
    }
    let stored = writer.reader().commit_authors()?;
    let ids: Vec<CommitId> = stored.iter().map(|(id, _)| *id).collect();
    let Ok(authors) = history::authors(root, &ids) else { return Ok(()) };
    let names = stored.into_iter().filter_map(|(id, pseudonym)| Some((pseudonym, authors.get(&id)?.clone())));
    let names: Vec<(String, String)> = names.collect();
    writer.set_authors(&names)
}

/// Updates commits, the files' search text and the history of symbols. `changed` are ids of files that were parsed or
/// whose node ids changed. Returns messages for the user: an unreadable history is not an error, and the stored one is
/// kept.
pub(super) fn refresh(
    root: &Path,
    head: &GitHead,
    changed: &HashSet<FileId>,
    writer: &mut Writer,
    (pool, writing): (&ThreadPool, &WriteProgress<'_>),
) -> Result<Vec<String>, IndexError> {
    let mut notes = Vec::new();
    // Without its index each commit's files would be found by reading all.
    writer.create_indexes()?;
    writer.write_symbols()?;
    name_authors(root, head, writer)?;
    // Changes made while git was unreadable were not traced.
    let was_unreadable = writer.reader().meta(HEAD)?.as_deref() == Some(UNREADABLE);
    let mut state = head.state.as_str();
    let mut touched = BTreeSet::new();
    if head.problem.is_none() && !is_known(writer.reader(), head)? {
        match update_commits(root, writer, pool, &mut notes)? {
            Some(paths) => touched = paths,
            None => state = UNREADABLE,
        }
    }
    let all = was_unreadable && state != UNREADABLE;
    let files: Vec<FileRow> = if all || !touched.is_empty() {
        let is_asked = |file: &FileRow| all || changed.contains(&file.id) || touched.contains(&file.path);
        writer.reader().files()?.into_iter().filter(is_asked).collect()
    } else {
        let files = changed.iter().map(|file| writer.reader().file(*file));
        let mut files: Vec<FileRow> = files.filter_map(Result::transpose).collect::<Result<_, StoreError>>()?;
        files.sort_unstable_by(|one, two| one.path.cmp(&two.path));
        files
    };
    let mut commits = vec![Vec::new(); files.len()];
    writing.expect(HISTORY_STEPS * files.len());
    for (index, node) in by_node(&files, writer)? {
        writing.advance(1);
        commits[index] = writer.reader().file_history(&files[index].path, MAX_FILE_SUBJECTS)?;
        if let Some(node) = node {
            write_file_search(writer, &files[index], node, &commits[index])?;
        }
    }
    if state.is_empty() {
        writer.clear_node_history()?;
    } else if state != UNREADABLE
        && let Some(problem) = trace_symbols(root, &files, &commits, writer, (pool, writing))?
    {
        notes.push(problem.to_string());
        state = UNREADABLE;
    }
    writer.set_meta(HEAD, state)?;
    Ok(notes)
}

/// Adds new commits and deletes those that the branch does not contain. Returns the files whose commits changed, `None`
/// when the history can't be read.
fn update_commits(
    root: &Path,
    writer: &mut Writer,
    pool: &ThreadPool,
    notes: &mut Vec<String>,
) -> Result<Option<BTreeSet<String>>, StoreError> {
    let stored: HashSet<[u8; 20]> = writer.reader().commit_hashes()?.into_iter().collect();
    let log = match pool.install(|| history::read_log(root, &stored)) {
        Ok(log) => log,
        Err(error) => {
            notes.push(error.to_string());
            return Ok(None);
        }
    };
    if log.unread > 0 {
        let reason = "their changed files are missing, as in a partial clone";
        notes.push(format!("{} commits of the git history are incomplete ({reason})", log.unread));
    }
    let current: HashSet<[u8; 20]> = log.order.iter().copied().collect();
    let mut touched = BTreeSet::new();
    let mut stale: Vec<&[u8; 20]> = stored.difference(&current).collect();
    stale.sort_unstable();
    for hash in stale {
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

/// Returns the files by their own symbols' nodes, if they have one: the search index writes all that it has collected whenever
/// a row is not behind the one before.
fn by_node(files: &[FileRow], writer: &Writer) -> Result<Vec<(usize, Option<NodeId>)>, StoreError> {
    let mut ordered = Vec::with_capacity(files.len());
    for (index, file) in files.iter().enumerate() {
        let nodes = writer.reader().file_nodes_blob(file.id)?;
        let nodes = nodes.map(|blob| crate::store::unpack_node_ids(&blob)).transpose()?;
        ordered.push((index, nodes.and_then(|nodes| nodes.first().copied())));
    }
    ordered.sort_unstable_by_key(|(_, node)| *node);
    Ok(ordered)
}

/// Updates the search text of a file's own symbol, which contains the subjects of its commits.
fn write_file_search(
    writer: &mut Writer,
    file: &FileRow,
    node: NodeId,
    commits: &[CommitRow],
) -> Result<(), StoreError> {
    let Some(texts_blob) = writer.reader().texts_blob(file.id)? else { return Ok(()) };
    let StoredTexts { texts, .. } = texts_blob.unpack()?;
    let subjects: Vec<&str> = commits.iter().map(|commit| commit.subject.as_str()).collect();
    writer.delete_search(node)?;
    writer.put_search(&file_search_row(&file.path, &texts.file_doc, node, &subjects.join("\n")))
}

/// Traces each symbol's lines through the commits of its file. Returns the error when git can't be read.
fn trace_symbols(
    root: &Path,
    files: &[FileRow],
    commits: &[Vec<CommitRow>],
    writer: &mut Writer,
    (pool, writing): (&ThreadPool, &WriteProgress<'_>),
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
    let traces = match pool.install(|| history::trace(root, &traced, &|files| writing.advance(files))) {
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
                    own_commits: trace.own,
                })?,
                None => writer.delete_node_history(node)?,
            }
        }
    }
    Ok(None)
}
