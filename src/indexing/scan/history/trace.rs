//! Attributes commits to symbols by following changed lines to their present location.
//!
//! A file's commits are read from the latest to the oldest. A map leads each line of the current version to a range of
//! present lines; a commit belongs to the symbols to which its changed lines lead. Lines that were rewritten later lead
//! to their replacement, in proportion, so a rewrite blurs history instead of ending it. Versions between two relevant
//! commits (merges, bulk changes, uncommitted edits) only move the map.

use std::ops::Range;
use std::path::Path;

use gix::{ObjectId, Repository};
use rayon::prelude::*;

use super::HistoryError;
use crate::model::CommitId;
use crate::scan::decode::decode;
use crate::scan::diff::{self, Change};
use crate::scan::git::{self, full, open};
use crate::scan::read::DEFAULT_MAX_FILE_BYTES;

/// Maximum number of commits followed per file, and so of commits counted per symbol.
const MAX_TRACED: usize = 25;
/// Number of files that one thread traces; each batch has its own caches.
const BATCH: usize = 32;

/// A file to trace.
#[derive(Debug, Clone)]
pub struct TracedFile<'a> {
    pub path: &'a str,
    /// Its text as indexed.
    pub text: &'a str,
    /// First and last line of each symbol, 1-based and inclusive.
    pub lines: Vec<(u32, u32)>,
    /// Its relevant commits, latest first.
    pub commits: Vec<CommitId>,
}

/// The history of a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SymbolTrace {
    /// Index of its latest commit in [`TracedFile::commits`]; `None` if no relevant commit touched it.
    pub last: Option<usize>,
    /// Number of commits that touched it.
    pub commits: u32,
    /// The commits that touched it outside of the symbols inside it: bit n stands for entry n of
    /// [`TracedFile::commits`].
    pub own: u64,
}

/// Traces the symbols of each file; returns one entry for each symbol. Calls `done` with numbers of traced files.
///
/// # Errors
/// When there is a `.git` that cannot be read.
pub fn trace(
    root: &Path,
    files: &[TracedFile<'_>],
    done: &(dyn Fn(usize) + Sync),
) -> Result<Vec<Vec<SymbolTrace>>, HistoryError> {
    let Some(git) = open(root)? else {
        return Ok(files.iter().map(|file| vec![SymbolTrace::default(); file.lines.len()]).collect());
    };
    let shared = git.shared();
    let batches = files.par_chunks(BATCH).map(|batch| {
        let repository = git::local(&shared);
        let traced = batch.iter().map(|file| {
            let traces = trace_file(&repository, file, MAX_TRACED);
            done(1);
            traces
        });
        traced.collect()
    });
    let batches: Vec<Vec<Vec<SymbolTrace>>> = batches.collect();
    Ok(batches.into_iter().flatten().collect())
}

/// Returns the latest of the file's commits that changed the lines of a symbol; reads at most `limit` of them.
///
/// # Errors
/// When there is a `.git` that cannot be read.
pub fn last_commit(root: &Path, file: &TracedFile<'_>, limit: usize) -> Result<Option<CommitId>, HistoryError> {
    let Some(git) = open(root)? else { return Ok(None) };
    let traces = trace_file(&git.repository, file, limit);
    let last = traces.iter().filter_map(|trace| trace.last).min();
    Ok(last.and_then(|index| file.commits.get(index).copied()))
}

/// A change of a file that was moved to the present lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::scan) struct Moved {
    /// The lines before the change, from 0.
    pub before: Range<usize>,
    /// The present lines to which it leads, from 0; empty if they were removed.
    pub now: Range<u32>,
}

/// Returns the changes between two versions of a file at their present lines, from first to last.
pub(in crate::scan) fn present_changes(before: &[u8], after: Vec<u8>, now: Vec<u8>) -> Vec<Moved> {
    let changes = diff::changes(before, &after);
    let mut version = Version::new(now);
    if version.go_back(after, None).is_none() {
        return Vec::new();
    }
    let end = version.map.last().map_or(0, |range| range.1);
    let moved = changes.into_iter().map(|Change { before, after }| {
        let lines = version.map.get(after.clone()).unwrap_or_default();
        let here = version.map.get(after.start).map_or(end, |range| range.0);
        let start = lines.iter().map(|range| range.0).min().unwrap_or(here);
        Moved { before, now: start..lines.iter().map(|range| range.1).max().unwrap_or(here) }
    });
    moved.collect()
}

fn trace_file(repository: &Repository, file: &TracedFile<'_>, limit: usize) -> Vec<SymbolTrace> {
    let mut traces = vec![SymbolTrace::default(); file.lines.len()];
    let line_count = file.text.lines().count() as u32;
    let own_lines = own_lines(&file.lines);
    // A file that is indexed by the user's wish though it is large was as large before.
    let max_bytes = DEFAULT_MAX_FILE_BYTES.max(2 * file.text.len() as u64);
    let mut version = Version::new(file.text.as_bytes().to_vec());
    // The blob of the version, once it is one of a commit: `Some(None)` if the file did not exist.
    let mut blob: Option<Option<ObjectId>> = None;
    for (index, id) in file.commits.iter().take(limit).enumerate() {
        // An unreadable version ends the trace of this file; later commits are kept.
        let Some((before_id, after_id)) = versions(repository, id, file.path) else { break };
        if blob != Some(after_id) {
            let Some(after) = content(repository, after_id, max_bytes) else { break };
            if after != version.text && version.go_back(after, None).is_none() {
                break;
            }
        }
        let Some(before) = content(repository, before_id, max_bytes) else { break };
        blob = Some(before_id);
        let mut touched = Touched::new(line_count);
        let was_read = version.go_back(before, Some(&mut touched));
        touched.sum();
        for ((trace, &(first, last)), own) in traces.iter_mut().zip(&file.lines).zip(&own_lines) {
            if touched.overlaps(first.saturating_sub(1), last) {
                trace.last.get_or_insert(index);
                trace.commits += 1;
                let is_own = own.iter().any(|&(first, end)| touched.overlaps(first, end));
                // Only the first commits of a file are traced for all symbols, and have bits.
                trace.own |= u32::try_from(index).ok().and_then(|bit| u64::from(is_own).checked_shl(bit)).unwrap_or(0);
            }
        }
        if was_read.is_none() {
            break;
        }
    }
    traces
}

/// Returns the lines of each symbol that no symbol inside it has: 0-based half-open ranges, ascending.
fn own_lines(lines: &[(u32, u32)]) -> Vec<Vec<(u32, u32)>> {
    let mut own = vec![Vec::new(); lines.len()];
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by_key(|&at| (lines[at].0, std::cmp::Reverse(lines[at].1), at));
    // The symbols around the current line, outermost first, each with the first line that is not given away yet.
    let mut open: Vec<(usize, u32)> = Vec::new();
    let close = |(at, next): (usize, u32), own: &mut Vec<Vec<(u32, u32)>>| {
        if next < lines[at].1 {
            own[at].push((next, lines[at].1));
        }
    };
    for at in order {
        let first = lines[at].0.saturating_sub(1);
        while let Some(outer) = open.pop_if(|(outer, _)| lines[*outer].1 <= first) {
            close(outer, &mut own);
        }
        for (outer, next) in &mut open {
            if *next < first {
                own[*outer].push((*next, first));
            }
            *next = (*next).max(lines[at].1);
        }
        open.push((at, first));
    }
    open.into_iter().for_each(|outer| close(outer, &mut own));
    own
}

/// Returns the file's blobs before and after a commit, each `None` if the file does not exist.
fn versions(repository: &Repository, id: &CommitId, path: &str) -> Option<(Option<ObjectId>, Option<ObjectId>)> {
    let commit = repository.find_commit(full(repository, id)?).ok()?;
    let after = blob_of(&commit, path)?;
    let before = match commit.parent_ids().next() {
        Some(parent) => blob_of(&repository.find_commit(parent).ok()?, path)?,
        None => None,
    };
    Some((before, after))
}

/// Returns the entry of a path in a commit, `Some(None)` if there is none.
fn blob_of(commit: &gix::Commit<'_>, path: &str) -> Option<Option<ObjectId>> {
    let mut tree = commit.tree().ok()?;
    Some(tree.peel_to_entry(path.split('/').map(str::as_bytes)).ok()?.map(|entry| entry.object_id()))
}

/// Returns the content of a file's blob: empty if it does not exist, `None` if it is too large.
fn content(repository: &Repository, id: Option<ObjectId>, max_bytes: u64) -> Option<Vec<u8>> {
    let Some(id) = id else { return Some(Vec::new()) };
    // The header has the size, so a large blob is not unpacked.
    let header = repository.find_header(id).ok()?;
    if header.kind() != gix::objs::Kind::Blob {
        return Some(Vec::new());
    }
    let is_small = header.size() <= max_bytes;
    let mut blob = is_small.then(|| repository.find_blob(id).ok()).flatten()?;
    // The lines of the file are those of its decoded text. A version that was binary has none of them.
    Some(decode(blob.take_data()).map_or_else(|_| Vec::new(), String::into_bytes))
}

/// A version of the file, and the present range of each of its lines: half open and 0-based, empty if the line was
/// removed.
struct Version {
    text: Vec<u8>,
    map: Vec<(u32, u32)>,
}

impl Version {
    /// Creates the present version.
    fn new(text: Vec<u8>) -> Version {
        let lines = diff::lines(&text).count() as u32;
        Version { text, map: (0..lines).map(|line| (line, line + 1)).collect() }
    }

    /// Goes back to an older version and records the present lines that the step changed.
    fn go_back(&mut self, older: Vec<u8>, mut touched: Option<&mut Touched>) -> Option<()> {
        let mut map = Vec::new();
        let mut next = 0;
        for Change { before, after } in diff::changes(&older, &self.text) {
            map.extend_from_slice(self.map.get(next..after.start)?);
            let changed = self.map.get(after.clone())?;
            let here = after.start.checked_sub(1).and_then(|line| self.map.get(line)).map_or(0, |range| range.1);
            if let Some(touched) = touched.as_deref_mut() {
                match changed {
                    [] => touched.add((here, here)),
                    lines => lines.iter().for_each(|&range| touched.add(range)),
                }
            }
            let old_lines = before.len();
            map.extend((0..old_lines).map(|line| {
                let first = line * changed.len() / old_lines;
                let end = ((line + 1) * changed.len()).div_ceil(old_lines);
                let part = &changed[first..end];
                let start = part.iter().map(|range| range.0).min();
                let end = part.iter().map(|range| range.1).max();
                (start.unwrap_or(here), end.unwrap_or(here))
            }));
            next = after.end;
        }
        map.extend_from_slice(self.map.get(next..)?);
        *self = Version { text: older, map };
        Some(())
    }
}

/// Present lines that a commit changed, and the gaps between lines from which it removed some.
struct Touched {
    lines: Vec<i64>,
    gaps: Vec<i64>,
}

impl Touched {
    fn new(lines: u32) -> Touched {
        Touched { lines: vec![0; lines as usize + 2], gaps: vec![0; lines as usize + 2] }
    }

    fn add(&mut self, (start, end): (u32, u32)) {
        if start < end {
            self.lines[start as usize + 1] += 1;
            self.lines[(end as usize + 1).min(self.gaps.len() - 1)] -= 1;
        } else {
            self.gaps[start as usize + 1] += 1;
        }
    }

    /// Replaces the marks by prefix sums.
    fn sum(&mut self) {
        let mut open = 0;
        let mut total = 0;
        for mark in &mut self.lines {
            open += *mark;
            total += i64::from(open > 0);
            *mark = total;
        }
        let mut total = 0;
        for mark in &mut self.gaps {
            total += *mark;
            *mark = total;
        }
    }

    /// Returns whether the 0-based half-open range of lines contains a changed line, or a gap inside it.
    fn overlaps(&self, first: u32, end: u32) -> bool {
        let last = self.lines.len() - 1;
        let (first, end) = ((first as usize).min(last), (end as usize).min(last));
        if first >= end {
            return false;
        }
        self.lines[end] > self.lines[first] || self.gaps[end] > self.gaps[first + 1]
    }
}
