//! The orchestrator: scan, parse, resolve, derive, write.
//!
//! One path serves a build from nothing and an update after an edit; the former is an update of an empty index. The
//! steps, in [`index`]:
//!
//! 1. [`plan`]: which files are new, changed, gone or as they were.
//! 2. [`extract`]: the changed ones are read and parsed, in parallel.
//! 3. [`catalog`]: every file's outline, from the parser or from the store; [`numbering`] gives definitions their
//!    identities and node numbers.
//! 4. [`affected`]: whose references must be resolved again; `resolve` does so while rows are written.
//! 5. [`linking`] and [`derived`]: edges between node numbers, compared with those stored; differences are written.
//! 6. [`history`]: what git says; [`snapshot`]: the Merkle root.
//!
//! All of it is one transaction (see [`Writer`]): a crash or Ctrl-C leaves the last complete index.

mod affected;
mod catalog;
mod checkout;
mod codes;
mod derived;
mod error;
mod extract;
mod history;
mod linking;
mod numbering;
mod placement;
mod plan;
mod profile;
mod quiet;
mod report;
mod rows;
mod run;
mod search_text;
mod slots;
mod snapshot;
mod steady;
mod stored_texts;
mod update;
mod whole;
mod write;

use std::path::{Path, PathBuf};

pub use error::IndexError;
pub use placement::check_placements;
pub use profile::profile;
pub use report::{IndexReport, Listener, Phase, Progress};
pub use run::unresolved;
pub use snapshot::check_snapshot;

use crate::scan::discover::check_root;
use crate::scan::repository::Repository;
use crate::store::{Writer, place};

/// How to index.
#[derive(Debug, Clone, Default)]
pub struct IndexOptions {
    /// The database file, when not the repository's default.
    pub database: Option<PathBuf>,
    /// Build from nothing even if an index is there; what the user taught is kept.
    pub force: bool,
    /// Threads; as many as there are cores when `None`.
    pub jobs: Option<usize>,
}

/// Stack of the threads that parse: syntax trees are walked recursively up to the parser's depth limit.
const STACK_BYTES: usize = 16 << 20;

/// Builds or refreshes the index of the repository around `start`.
///
/// # Errors
/// When `start` is no folder, or the store can't be used or written.
pub fn index(start: &Path, options: &IndexOptions, listener: &dyn Listener) -> Result<IndexReport, IndexError> {
    let repository = Repository::find(start).map_err(|cause| IndexError::Root { path: start.to_owned(), cause })?;
    let root = &repository.root;
    check_root(root).map_err(|cause| IndexError::Root { path: root.clone(), cause })?;
    let mut notes = Vec::new();
    let database = match &options.database {
        Some(database) => {
            place::prepare_file(database)?;
            database.clone()
        }
        None => {
            let place = place::prepare(&repository.root)?;
            notes.extend(place.notice);
            place.database
        }
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.jobs.unwrap_or(0))
        .stack_size(STACK_BYTES)
        .build()
        .map_err(|error| IndexError::Threads(error.to_string()))?;
    let writer = if options.force { Writer::rebuild(&database)? } else { Writer::open(&database)? };
    notes.extend(writer.notes().iter().cloned());
    let mut report = match run::run(&repository, writer, options.force, &pool, listener) {
        // Damage may lie where only the work itself meets it.
        Err(IndexError::Store(problem)) if options.force && problem.rebuild_helps() => {
            let writer = Writer::replace(&database, &problem)?;
            notes.extend(writer.notes().iter().cloned());
            run::run(&repository, writer, true, &pool, listener)?
        }
        other => other?,
    };
    notes.append(&mut report.notes);
    report.notes = notes;
    report.database = database;
    Ok(report)
}
