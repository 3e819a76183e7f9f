//! What an index run tells: while it works, and at its end.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::model::Symbol;
use crate::resolve::output::Unresolved;
use crate::scan::DiscoveredFile;

/// A stage of an index run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Finding files and what changed.
    Scan,
    /// Reading and parsing changed files.
    Parse,
    /// Loading what the store knows of the others.
    Load,
    /// Resolving names, and writing rows meanwhile.
    Resolve,
    /// Deriving edges.
    Derive,
    /// Writing edges and the snapshot.
    Write,
}

impl Phase {
    /// The name used in output.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Scan => "scan",
            Phase::Parse => "parse",
            Phase::Load => "load",
            Phase::Resolve => "resolve",
            Phase::Derive => "derive",
            Phase::Write => "write",
        }
    }
}

/// How far a run has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub phase: Phase,
    pub done: usize,
    /// Of how many; 0 when that is not known.
    pub total: usize,
}

/// Hears of a run while it works, from any of its threads. What it hears need not become part of an index: the run can
/// fail, and then the last complete index stays.
pub trait Listener: Sync {
    /// So far the run has come.
    fn progress(&self, progress: Progress);
    /// The files that are to be indexed, before any of them is read.
    fn found(&self, _files: &[DiscoveredFile]) {}
    /// A file has been parsed; its definitions are made only for those who ask.
    fn parsed(&self, _definitions: &dyn Fn() -> Vec<Symbol>) {}
}

impl<F: Fn(Progress) + Sync> Listener for F {
    fn progress(&self, progress: Progress) {
        self(progress);
    }
}

/// The outcome of a run.
#[derive(Debug, Clone, Default)]
pub struct IndexReport {
    pub repository: String,
    pub database: PathBuf,
    /// Nothing had changed, and nothing was written.
    pub is_unchanged: bool,
    /// References without an edge, by reason, over all files.
    pub unresolved: Vec<(Unresolved, u64)>,
    /// Files parsed in this run.
    pub parsed_files: usize,
    /// Files whose references were resolved in this run.
    pub resolved_files: usize,
    /// Files that are gone.
    pub removed_files: usize,
    /// Time spent by phase, in order.
    pub timings: Vec<(Phase, Duration)>,
    /// What the user should be told.
    pub notes: Vec<String>,
}

/// Measures phases one after the other.
pub(super) struct Clock {
    timings: Vec<(Phase, Duration)>,
    since: Instant,
}

impl Clock {
    /// Starts with the first phase.
    pub(super) fn new() -> Clock {
        Clock { timings: Vec::new(), since: Instant::now() }
    }

    /// Ends a phase.
    pub(super) fn end(&mut self, phase: Phase) {
        self.timings.push((phase, self.since.elapsed()));
        self.since = Instant::now();
    }

    /// Every phase measured.
    pub(super) fn finish(self) -> Vec<(Phase, Duration)> {
        self.timings
    }
}
