//! Indexing: scan, parse, resolve, derive, write.
//!
//! An update and a rebuild follow the same path; a rebuild is an update of an empty index. The steps of [`index`]:
//!
//! 1. [`checkout`]: compares the checkout with the store; [`extract`] reads and parses changed files in parallel.
//! 2. [`file_set`]: the outline of every file, parsed or stored, plain or packed; [`node_ids`] assigns identities and node ids.
//! 3. [`affected`]: selects the files to resolve again; `resolve` runs while rows are written.
//! 4. [`linking`] and [`derived`]: edges between nodes, of which only the differences are written.
//! 5. [`history`]: git history of files and symbols; [`snapshot`]: Merkle roots.
//!
//! Edits take one of three paths: [`trivia_edit`] when only comments and blank lines changed, [`body_edit`] when the only
//! derived edges that change are those of [`memberships`], [`full_derivation`] otherwise. Where the checkout did not change
//! since the last run, [`untouched`] tells so, and none of these steps is taken.
//!
//! A run is one transaction (see [`Writer`]): after a crash or Ctrl-C the last complete index is unchanged. The module
//! does not depend on tasks, ranking or clients.

mod affected;
mod body_edit;
mod file_set;
mod checkout;
mod declared;
mod derived;
mod documents;
mod edge_slots;
mod error;
mod exports;
mod extension_targets;
mod extract;
mod file_nodes;
mod full_derivation;
mod held;
mod history;
mod inputs;
mod lazy_facts;
mod linking;
mod manifests;
mod memberships;
mod memory;
mod node_ids;
mod profile;
mod report;
mod resolved;
mod rows;
mod run;
mod scip;
mod selection;
mod snapshot;
mod stale;
mod texts;
mod trivia_edit;
mod unread;
mod untouched;
mod update;
mod write;

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use rayon::{ThreadPool, ThreadPoolBuildError};

pub use affected::{
    PartlyParsed, UnknownInFile, check_file_names, check_unresolved_names, name_hash, partly_parsed, unknown_in_files,
    unresolved_names, unresolved_of_file, untold_of_file,
};
pub use error::IndexError;
pub use exports::{Exported, ExternalName, exports, manifests};
pub use file_nodes::check_file_nodes;
pub use profile::profile;
pub use report::{IndexReport, Listener, Phase, Progress};
pub use run::{ENGINE_VERSION, is_current, unresolved};
pub use scip::own_scip;
pub use snapshot::check_snapshot;
pub use stale::{Staleness, staleness};
pub use unread::{FilesWithoutGrammar, Unread, files_without_grammar};

use self::report::Clock;
use crate::scan::discover::check_root;
use crate::scan::repository::Repository;
use crate::scan::{Discovery, surroundings};
use crate::store::location::{self, DataFolder};
use crate::store::{Reader, Writer};

/// Options of an index run.
#[derive(Debug, Clone, Default)]
pub struct IndexOptions {
    /// The database file, if not that of the checkout in the user's data folder.
    pub database: Option<PathBuf>,
    /// Whether to rebuild from nothing even if an index exists. Feedback is kept.
    pub force: bool,
    /// Number of threads, all cores when `None`.
    pub jobs: Option<usize>,
    /// The memory that the run should not exceed, in bytes; a limit for large repositories when `None`.
    pub memory: Option<u64>,
    /// A checked copy of another machine's index of this repository to update instead of the stored one. It is moved.
    pub copy: Option<PathBuf>,
    /// SCIP indexes to import, instead of those imported before. That of the repository's root is used where it is, from
    /// now on.
    pub scip: Vec<PathBuf>,
}

impl IndexOptions {
    /// Returns whether they have no effect, not even a note, where the checkout did not change since the last run.
    fn change_nothing(&self) -> bool {
        !self.force && self.copy.is_none() && self.scip.is_empty() && self.memory.is_none() && self.jobs.is_none()
    }
}

/// Stack size of parsing threads, in bytes. Syntax trees are walked recursively up to the parser's depth limit.
const STACK_BYTES: usize = 16 << 20;

/// Limit of the threads for each core. More only wait for each other.
const MAX_THREADS_PER_CORE: usize = 16;

/// Starts threads; where the system does not allow as many, half as many, and so on.
fn start_threads(
    mut threads: usize,
    build: &dyn Fn(usize) -> Result<ThreadPool, ThreadPoolBuildError>,
) -> Result<ThreadPool, IndexError> {
    loop {
        match build(threads) {
            Ok(pool) => return Ok(pool),
            Err(error) if threads <= 1 => return Err(IndexError::Threads(error.to_string())),
            Err(_) => threads /= 2,
        }
    }
}

/// Builds or updates the index of the repository that contains `start`.
///
/// # Errors
/// When `start` is not a folder, or the store can't be used or written.
pub fn index(start: &Path, options: &IndexOptions, listener: &dyn Listener) -> Result<IndexReport, IndexError> {
    let repository = Repository::find(start).map_err(|cause| IndexError::Root { path: start.to_owned(), cause })?;
    let root = &repository.root;
    check_root(root).map_err(|cause| IndexError::Root { path: root.clone(), cause })?;
    let database = match &options.database {
        Some(database) => {
            location::prepare_file(database)?;
            database.clone()
        }
        None => DataFolder::of_user()?.prepare(root)?,
    };
    let surroundings = surroundings(root);
    let clock = Clock::new();
    let mut known = None;
    // After an error the run below reads the store again, and reports it.
    if options.change_nothing()
        && let Ok(reader) = Reader::open(&database)
        && let Ok(Some(files)) = untouched::known_files(&repository, &reader, &surroundings)
    {
        if files.is_same
            && let Ok(report) = untouched::report(&repository, &reader, clock.clone())
        {
            return Ok(report);
        }
        known = Some(files);
    }
    let mut notes = Vec::new();
    let pool = pool(options.jobs)?;
    if let Some(jobs) = options.jobs.filter(|jobs| pool.current_num_threads() < *jobs) {
        notes.push(format!("using {} threads instead of {jobs}", pool.current_num_threads()));
    }
    let writer = match &options.copy {
        Some(copy) => Writer::adopt(&database, copy)?,
        None if options.force => Writer::rebuild(&database)?,
        None => Writer::open(&database)?,
    };
    notes.extend(writer.notes().iter().cloned());
    if !options.scip.is_empty() {
        scip::import(&options.scip, &repository, &database)?;
    }
    let (mut report, seen) = match run::run(&repository, writer, options, (known, clock), &pool, listener) {
        // Damage may be found only during the run.
        Err(IndexError::Store(problem)) if options.force && problem.rebuild_helps() => {
            let writer = Writer::replace(&database, &problem)?;
            notes.extend(writer.notes().iter().cloned());
            run::run(&repository, writer, options, (None, Clock::new()), &pool, listener)?
        }
        other => other?,
    };
    notes.append(&mut report.notes);
    if let Some(seen) = seen.filter(|_| notes.is_empty()) {
        untouched::remember(&database, &seen, &surroundings);
    }
    report.notes = notes;
    report.database = database;
    Ok(report)
}

/// Builds an index of some files of a repository in a new database, without history and documents. A reader of it sees these
/// files as the whole repository.
///
/// # Errors
/// When the database can't be written.
pub fn index_part(repository: &Repository, part: &Discovery, database: &Path) -> Result<(), IndexError> {
    run::run_part(repository, Writer::open(database)?, part, &pool(None)?)
}

/// Returns the threads of a run: one a core, unless another number is given.
fn pool(jobs: Option<usize>) -> Result<ThreadPool, IndexError> {
    let cores = available_parallelism().map_or(1, NonZero::get);
    let threads = jobs.map_or(cores, |jobs| jobs.min(cores * MAX_THREADS_PER_CORE));
    start_threads(threads, &|threads| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK_BYTES).build()
    })
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn fewer_threads_are_started_where_the_system_allows_no_more() {
        let attempts = RefCell::new(Vec::new());
        let build = |most: usize| {
            let attempts = &attempts;
            move |threads: usize| {
                attempts.borrow_mut().push(threads);
                let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
                if threads > most {
                    builder.spawn_handler(|_| Err(std::io::ErrorKind::WouldBlock.into())).build()
                } else {
                    builder.build()
                }
            }
        };
        let pool = start_threads(1_000, &build(40)).unwrap();
        assert_eq!(pool.current_num_threads(), 31);
        assert_eq!(attempts.take(), [1_000, 500, 250, 125, 62, 31]);
        assert!(matches!(start_threads(4, &build(0)), Err(IndexError::Threads(_))));
    }
}
