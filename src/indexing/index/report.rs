//! Progress and report of an index run.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::run::unix_time;
use crate::model::Symbol;
use crate::resolve::output::{FileResolution, Unresolved};
use crate::resolve::scip::ScipOutcome;
use crate::scan::DiscoveredFile;
use crate::text::display::thousands;

/// A phase of an index run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Loads a published index. Its progress counts kilobytes.
    Fetch,
    /// Discovers files and changes.
    Scan,
    /// Reads and parses changed files.
    Parse,
    /// Loads the stored facts of unchanged files.
    Load,
    /// Resolves references, and writes the files' rows meanwhile, which is what its progress counts.
    Resolve,
    /// Derives edges.
    Derive,
    /// Writes edges, history and the snapshot. Its progress counts files: once for their edges of each layer, twice for
    /// their history.
    Write,
}

impl Phase {
    /// Returns the name used in output.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Fetch => "fetch",
            Phase::Scan => "scan",
            Phase::Parse => "parse",
            Phase::Load => "load",
            Phase::Resolve => "resolve",
            Phase::Derive => "derive",
            Phase::Write => "write",
        }
    }
}

/// Progress within a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub phase: Phase,
    pub done: usize,
    /// 0 when unknown.
    pub total: usize,
}

/// Progress within [`Phase::Write`], whose parts do not know of each other.
pub(super) struct WriteProgress<'a> {
    listener: &'a dyn Listener,
    done: AtomicUsize,
    total: AtomicUsize,
}

impl<'a> WriteProgress<'a> {
    /// Creates progress without steps.
    pub(super) fn new(listener: &'a dyn Listener) -> WriteProgress<'a> {
        WriteProgress { listener, done: AtomicUsize::new(0), total: AtomicUsize::new(0) }
    }

    /// Announces at least `steps` further steps.
    pub(super) fn expect(&self, steps: usize) {
        self.total.fetch_max(self.done.load(Ordering::Relaxed) + steps, Ordering::Relaxed);
        self.advance(0);
    }

    /// Reports further steps done.
    pub(super) fn advance(&self, steps: usize) {
        let done = self.done.fetch_add(steps, Ordering::Relaxed) + steps;
        let total = self.total.load(Ordering::Relaxed).max(done);
        self.listener.progress(Progress { phase: Phase::Write, done, total });
    }
}

/// Receives events of a run, from any of its threads. They may concern an index that is never completed: if the run
/// fails, the last complete index is kept.
pub trait Listener: Sync {
    /// Reports progress.
    fn progress(&self, progress: Progress);
    /// Reports the files to be indexed, before any is read.
    fn found(&self, _files: &[DiscoveredFile]) {}
    /// Reports a parsed file. `definitions` builds its symbols on demand.
    fn parsed(&self, _definitions: &dyn Fn() -> Vec<Symbol>) {}
}

impl<F: Fn(Progress) + Sync> Listener for F {
    fn progress(&self, progress: Progress) {
        self(progress);
    }
}

/// The result of a run.
#[derive(Debug, Clone, Default)]
pub struct IndexReport {
    pub repository: String,
    pub database: PathBuf,
    /// Whether nothing had changed and nothing was written.
    pub is_unchanged: bool,
    /// Number of unresolved references by reason, over all files.
    pub unresolved: Vec<(Unresolved, u64)>,
    /// Number of files parsed in this run.
    pub parsed_files: usize,
    /// Number of files whose references were resolved in this run.
    pub resolved_files: usize,
    /// Number of steps of their resolution: a measure of work that is the same on every machine.
    pub resolution_steps: u64,
    /// Number of files removed in this run.
    pub removed_files: usize,
    /// References that SCIP indexes also have, in the files resolved in this run.
    pub scip: ScipCounts,
    /// Duration of each phase, in order.
    pub timings: Vec<(Phase, Duration)>,
    /// Messages for the user.
    pub notes: Vec<String>,
}

/// Numbers of references that a SCIP index also has, by outcome.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScipCounts(pub BTreeMap<ScipOutcome, u64>);

impl ScipCounts {
    /// Adds the outcomes of a resolved file.
    pub(super) fn add(&mut self, resolution: &FileResolution) {
        for &(outcome, count) in &resolution.scip {
            *self.0.entry(outcome).or_default() += u64::from(count);
        }
    }

    /// Returns the numbers as one line; `None` if no SCIP index applied.
    pub fn line(&self) -> Option<String> {
        let count =
            |(outcome, count): (&ScipOutcome, &u64)| format!("{} {}", thousands(*count as usize), outcome.name());
        let counts: Vec<String> = self.0.iter().map(count).collect();
        (!counts.is_empty()).then(|| format!("references of the SCIP index: {}", counts.join(", ")))
    }
}

/// Measures consecutive phases.
#[derive(Clone)]
pub(super) struct Clock {
    /// When the run began, in nanoseconds since 1970.
    pub(super) started_ns: i64,
    timings: Vec<(Phase, Duration)>,
    since: Instant,
}

impl Clock {
    /// Starts a run and its first phase.
    pub(super) fn new() -> Clock {
        Clock { started_ns: unix_time().as_nanos() as i64, timings: Vec::new(), since: Instant::now() }
    }

    /// Ends a phase and starts the next. A phase that is repeated has the sum of its times.
    pub(super) fn end(&mut self, phase: Phase) {
        let elapsed = self.since.elapsed();
        match self.timings.iter_mut().find(|(known, _)| *known == phase) {
            Some((_, total)) => *total += elapsed,
            None => self.timings.push((phase, elapsed)),
        }
        self.since = Instant::now();
    }

    /// Returns the duration of every phase.
    pub(super) fn finish(self) -> Vec<(Phase, Duration)> {
        self.timings
    }
}
