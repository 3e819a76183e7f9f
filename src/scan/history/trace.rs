//! Each symbol's own commits: changed lines followed through newer changes to where they stand today.
//!
//! A file's commits are read from the newest to the oldest. A map leads each line of the version at hand to a range of
//! today's lines; a commit belongs to the symbols that its changed lines lead to. Lines that were rewritten later lead to
//! what replaced them, in proportion, so that a rewrite blurs history instead of ending it. Versions between two
//! commits that don't count (merges, bulk changes, edits not yet committed) only move the map.

use std::path::Path;

use git2::{DiffOptions, Oid, Patch, Repository};
use rayon::prelude::*;

use super::{CommitId, HistoryError, open};
use crate::scan::read::MAX_FILE_BYTES;

/// Of one file, this many of the newest commits are followed; a symbol's count of commits is complete up to there.
pub const MAX_TRACED: usize = 25;
/// Files traced by one thread at a time; each such batch opens the repository anew.
const BATCH: usize = 32;

/// A file whose symbols' history is asked for.
#[derive(Debug, Clone)]
pub struct TracedFile<'a> {
    pub path: &'a str,
    /// Its text as it was indexed.
    pub text: &'a str,
    /// First and last line of each symbol, 1-based and inclusive.
    pub lines: Vec<(u32, u32)>,
    /// Its commits that count, the newest first.
    pub commits: Vec<CommitId>,
}

/// What history knows of a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SymbolTrace {
    /// Place of its newest commit in [`TracedFile::commits`]; nothing when no commit that counts touched it.
    pub last: Option<usize>,
    /// How many of the commits touched it.
    pub commits: u32,
}

/// One list for each file with one entry for each of its symbols.
///
/// # Errors
/// When there is a `.git` that can't be read.
pub fn trace(root: &Path, files: &[TracedFile<'_>]) -> Result<Vec<Vec<SymbolTrace>>, HistoryError> {
    let batches = files.par_chunks(BATCH).map(|batch| {
        let Some(repository) = open(root)? else {
            return Ok(batch.iter().map(|file| vec![SymbolTrace::default(); file.lines.len()]).collect());
        };
        Ok(batch.iter().map(|file| trace_file(&repository, file)).collect())
    });
    let batches: Vec<Vec<Vec<SymbolTrace>>> = batches.collect::<Result<_, HistoryError>>()?;
    Ok(batches.into_iter().flatten().collect())
}

fn trace_file(repository: &Repository, file: &TracedFile<'_>) -> Vec<SymbolTrace> {
    let mut traces = vec![SymbolTrace::default(); file.lines.len()];
    let line_count = file.text.lines().count() as u32;
    let mut version =
        Version { text: file.text.as_bytes().to_vec(), map: (0..line_count).map(|line| (line, line + 1)).collect() };
    for (index, id) in file.commits.iter().take(MAX_TRACED).enumerate() {
        // What can't be read ends the trace of this file; the newer commits stand.
        let Some((before, after)) = versions(repository, id, file.path) else { break };
        if after != version.text && version.go_back(after, None).is_none() {
            break;
        }
        let mut touched = Touched::new(line_count);
        let was_read = version.go_back(before, Some(&mut touched));
        touched.sum();
        for (trace, &(first, last)) in traces.iter_mut().zip(&file.lines) {
            if touched.overlaps(first.saturating_sub(1), last) {
                trace.last.get_or_insert(index);
                trace.commits += 1;
            }
        }
        if was_read.is_none() {
            break;
        }
    }
    traces
}

/// The file's content before and after a commit.
fn versions(repository: &Repository, id: &CommitId, path: &str) -> Option<(Vec<u8>, Vec<u8>)> {
    let commit = repository.find_commit(Oid::from_bytes(id).ok()?).ok()?;
    let after = content(repository, &commit, path)?;
    let before = match commit.parent(0) {
        Ok(parent) => content(repository, &parent, path)?,
        Err(_) => Vec::new(),
    };
    Some((before, after))
}

/// A file's content in a commit: empty when it is not there, nothing when it is too large.
fn content(repository: &Repository, commit: &git2::Commit<'_>, path: &str) -> Option<Vec<u8>> {
    let tree = commit.tree().ok()?;
    let Ok(entry) = tree.get_path(Path::new(path)) else { return Some(Vec::new()) };
    // The header tells the size before a blob of any size is unpacked.
    let (size, kind) = repository.odb().ok()?.read_header(entry.id()).ok()?;
    if kind != git2::ObjectType::Blob {
        return Some(Vec::new());
    }
    let is_small = size as u64 <= MAX_FILE_BYTES;
    is_small.then(|| repository.find_blob(entry.id()).ok()).flatten().map(|blob| blob.content().to_vec())
}

/// A version of the file, and where each of its lines stands today: a half-open range of 0-based lines, empty where
/// nothing is left of it.
struct Version {
    text: Vec<u8>,
    map: Vec<(u32, u32)>,
}

impl Version {
    /// Goes back to an older version, noting today's lines that the step changed.
    fn go_back(&mut self, older: Vec<u8>, mut touched: Option<&mut Touched>) -> Option<()> {
        let mut map = Vec::new();
        let mut next = 0;
        for hunk in hunks(&older, &self.text)? {
            map.extend_from_slice(self.map.get(next..hunk.new_start)?);
            let changed = self.map.get(hunk.new_start..hunk.new_start + hunk.new_lines)?;
            let here = hunk.new_start.checked_sub(1).and_then(|line| self.map.get(line)).map_or(0, |range| range.1);
            if let Some(touched) = touched.as_deref_mut() {
                match changed {
                    [] => touched.add((here, here)),
                    lines => lines.iter().for_each(|&range| touched.add(range)),
                }
            }
            map.extend((0..hunk.old_lines).map(|line| {
                let first = line * changed.len() / hunk.old_lines;
                let end = ((line + 1) * changed.len()).div_ceil(hunk.old_lines);
                let part = &changed[first..end];
                let start = part.iter().map(|range| range.0).min();
                let end = part.iter().map(|range| range.1).max();
                (start.unwrap_or(here), end.unwrap_or(here))
            }));
            next = hunk.new_start + hunk.new_lines;
        }
        map.extend_from_slice(self.map.get(next..)?);
        *self = Version { text: older, map };
        Some(())
    }
}

/// A changed stretch; lines are 0-based.
struct Hunk {
    old_lines: usize,
    new_start: usize,
    new_lines: usize,
}

fn hunks(old: &[u8], new: &[u8]) -> Option<Vec<Hunk>> {
    let mut options = DiffOptions::new();
    options.context_lines(0).interhunk_lines(0).force_text(true);
    let patch = Patch::from_buffers(old, None, new, None, Some(&mut options)).ok()?;
    let mut hunks = Vec::with_capacity(patch.num_hunks());
    for index in 0..patch.num_hunks() {
        let (hunk, _) = patch.hunk(index).ok()?;
        let new_lines = hunk.new_lines() as usize;
        // Without lines of its own a hunk names the line before it.
        let new_start = if new_lines == 0 { hunk.new_start() } else { hunk.new_start().checked_sub(1)? } as usize;
        hunks.push(Hunk { old_lines: hunk.old_lines() as usize, new_start, new_lines });
    }
    Some(hunks)
}

/// Today's lines that a commit changed, and the gaps between lines where it only removed some.
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

    /// Turns the marks into counts from the first line on.
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

    /// True when the 0-based lines from `first` to before `end` hold a changed line, or a gap inside them.
    fn overlaps(&self, first: u32, end: u32) -> bool {
        let last = self.lines.len() - 1;
        let (first, end) = ((first as usize).min(last), (end as usize).min(last));
        if first >= end {
            return false;
        }
        self.lines[end] > self.lines[first] || self.gaps[end] > self.gaps[first + 1]
    }
}
