//! A run: detects changes, updates the store and reports.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use rayon::ThreadPool;

use super::IndexOptions;
use super::checkout::{Checkout, Stored};
use super::documents::DocumentChanges;
use super::error::IndexError;
use super::inputs::Inputs;
use super::manifests::ManifestChanges;
use super::memory::{self, Budget, Memory};
use super::report::{Clock, IndexReport, Listener, Phase, Progress, WriteProgress};
use super::unread::Unread;
use super::untouched::{KnownFiles, Seen};
use super::update::Update;
use super::{history, snapshot, untouched};
use crate::resolve::output::Unresolved;
use crate::scan::{Census, Discovery, KnownWalk, Repository, discover};
use crate::store::{Reader, StoreError, Writer};

/// Version of facts, edges and search text. A stored index of another version is rebuilt.
pub const ENGINE_VERSION: &str = "36";

/// Key in `meta` of the number of unresolved references by reason.
pub(super) const UNRESOLVED: &str = "unresolved";

/// Indexes the repository into the writer's store.
///
/// Ids of nodes stay dense: where an update would leave more gaps than nodes, for example because most files are gone,
/// the index is built again. At most half of the symbols are left then.
///
/// Walks through the checkout unless its files are known, of the state that the index still has: another process may have
/// written since. Also returns what it has seen of the checkout, if all of it was read.
pub(super) fn run(
    repository: &Repository,
    mut writer: Writer,
    options: &IndexOptions,
    (known, mut clock): (Option<KnownFiles>, Clock),
    pool: &ThreadPool,
    listener: &dyn Listener,
) -> Result<(IndexReport, Option<Seen>), IndexError> {
    let (started_ns, memory) = (clock.started_ns, options.memory);
    let state = writer.reader().state()?;
    let walk = known.filter(|known| state.as_ref() == Some(&known.state)).map(|known| known.discovery);
    let walk = walk.as_ref();
    let run = Run { repository, pool, listener, started_ns, memory, walk, is_part: false };
    let is_new = options.force || !can_be_updated(writer.reader(), &repository.id)?;
    let former = Some(writer.reader().repository().to_owned()).filter(|id| !id.is_empty() && *id != repository.id);
    let Applied { mut report, mut is_written, mut walk } = run.apply(&mut writer, is_new, &mut clock)?;
    if !is_new && is_written && writer.reader().has_sparse_node_ids()? {
        let removed_files = report.removed_files;
        Applied { report, is_written, walk } = run.apply(&mut writer, true, &mut clock)?;
        report.removed_files = removed_files;
    }
    if let Some(former) = former {
        let database = writer.reader().path().display();
        report.notes.push(format!("{database} was the index of {former}; it was built again for {}", repository.id));
    }
    let state = writer.reader().state()?;
    if is_written {
        writer.commit()?;
    }
    clock.end(Phase::Write);
    report.timings = clock.finish();
    Ok((report, walk.zip(state).map(|(walk, state)| Seen { walk, state })))
}

/// Indexes some files of the repository into an empty store, without their history.
pub(super) fn run_part(
    repository: &Repository,
    mut writer: Writer,
    part: &Discovery,
    pool: &ThreadPool,
) -> Result<(), IndexError> {
    let mut clock = Clock::new();
    let (started_ns, walk) = (clock.started_ns, Some(part));
    let run = Run { repository, pool, listener: &|_| {}, started_ns, memory: None, walk, is_part: true };
    run.apply(&mut writer, true, &mut clock)?;
    Ok(writer.commit()?)
}

/// The context of a run.
struct Run<'a> {
    repository: &'a Repository,
    pool: &'a ThreadPool,
    listener: &'a dyn Listener,
    /// When the run began, in nanoseconds since 1970.
    started_ns: i64,
    /// The limit of memory, in bytes.
    memory: Option<u64>,
    /// The result of a walk through the checkout, if it is known.
    walk: Option<&'a Discovery>,
    /// Whether the walk has only some of the files.
    is_part: bool,
}

/// The outcome of [`Run::apply`].
struct Applied {
    report: IndexReport,
    is_written: bool,
    /// The files of the checkout, if all of it was read.
    walk: Option<KnownWalk>,
}

impl Run<'_> {
    /// Writes what differs between the checkout and the store, or everything if `is_new`.
    fn apply(&self, writer: &mut Writer, is_new: bool, clock: &mut Clock) -> Result<Applied, IndexError> {
        let Run { repository, pool, listener, started_ns, walk, is_part, .. } = *self;
        let root: &Path = &repository.root;
        listener.progress(Progress { phase: Phase::Scan, done: 0, total: 0 });
        let discovery = &*walk.map_or_else(|| Cow::Owned(pool.install(|| discover(root))), Cow::Borrowed);
        let mut inputs = Inputs::read(repository, writer.reader(), discovery);
        if is_part {
            inputs.head = history::GitHead::unread();
        }
        let is_new = is_new || inputs.changes(writer.reader())?.own_languages;
        if is_new {
            clear(writer, &repository.id, &inputs)?;
        }
        let changes = inputs.changes(writer.reader())?;
        let stored_skips = writer.reader().skips()?;
        let (problems, mut unread) = (discovery.settings.problems.clone(), Unread::new(discovery));
        let documents = DocumentChanges::read(root, &discovery.documents, writer.reader(), started_ns, pool)?;
        let sizes = || discovery.files.iter().map(|file| file.size);
        let (source_bytes, largest) = (sizes().sum(), sizes().max().unwrap_or_default());
        let memory = &Memory::new(Budget::new(self.memory, source_bytes));
        let files = writer.reader().files()?;
        let stored = Stored { files, skips: &stored_skips, are_stamps_valid: !changes.settings };
        let checkout = Checkout::read(repository, discovery, stored, started_ns, (pool, memory), listener, clock);
        let is_read = documents.are_read() && checkout.is_read();
        unread.census = checkout.is_empty().then(|| Census::take(root, &discover(root)));
        let manifests = &ManifestChanges::between(&writer.reader().manifests()?, &checkout.manifest_hashes);
        let graph_changed = is_new || manifests.matter() || changes.owners || changes.scip || checkout.has_changes();
        let unread_changed = changes.settings || unread.is_changed(writer.reader())?;
        let rows_changed = !checkout.touched.is_empty() || checkout.skips != stored_skips || unread_changed;
        // Commands of tests are in answers, and depend on the texts of manifests.
        let answers_changed = graph_changed || manifests.is_any || changes.head || documents.change_answers();
        let mut report = self.report(&checkout, answers_changed);
        report.notes = problems.into_iter().chain(inputs.head.problem.clone()).collect();
        report.notes.extend(self.memory.and_then(|limit| memory::note(limit, source_bytes, largest)));
        let is_written = rows_changed || answers_changed || !documents.is_empty();
        if is_written {
            write_checkout(writer, &checkout, &unread)?;
            inputs.write(writer)?;
            documents.write(writer)?;
        }
        let mut changed_files = HashSet::new();
        let writing = &WriteProgress::new(listener);
        let update = Update {
            repository: &repository.id,
            pool,
            memory,
            listener,
            writing,
            is_new,
            manifests,
            scip_changed: changes.scip,
            owners_changed: changes.owners,
            owners: inputs.owners.as_ref(),
            scip: &inputs.scip,
        };
        if graph_changed {
            changed_files = update.apply(checkout, writer, &mut report, clock)?;
        }
        if graph_changed || changes.head {
            report.notes.extend(history::refresh(root, &inputs.head, &changed_files, writer, (pool, writing))?);
            snapshot::append(writer, &inputs.head.commit)?;
        }
        writer.write_symbols()?;
        if answers_changed {
            writer.renew_state()?;
        }
        report.unresolved = unresolved(writer.reader())?;
        let walk = is_read.then(|| KnownWalk::of(discovery, started_ns)).flatten();
        Ok(Applied { report, is_written, walk })
    }

    /// Returns the report of a run that has not written yet.
    fn report(&self, checkout: &Checkout, is_changed: bool) -> IndexReport {
        IndexReport {
            repository: self.repository.id.clone(),
            is_unchanged: !is_changed,
            parsed_files: checkout.parsed.len(),
            removed_files: checkout.removed.len(),
            ..IndexReport::default()
        }
    }
}

/// Begins to write: the rows of files, skips and manifests, and what was not read. What earlier runs have seen of the checkout is
/// forgotten.
fn write_checkout(writer: &mut Writer, checkout: &Checkout, unread: &Unread) -> Result<(), StoreError> {
    writer.begin()?;
    untouched::forget(writer)?;
    checkout.touched.iter().try_for_each(|row| writer.put_file(row))?;
    writer.put_skips(&checkout.skips)?;
    writer.put_manifests(&checkout.manifest_hashes)?;
    unread.write(writer)
}

/// Empties the store for a rebuild.
fn clear(writer: &mut Writer, repository: &str, inputs: &Inputs<'_>) -> Result<(), StoreError> {
    writer.begin()?;
    writer.clear()?;
    writer.set_repository(repository)?;
    inputs.write_own_languages(writer)?;
    writer.set_meta("engine", ENGINE_VERSION)
}

/// Returns the time since 1970, zero for an earlier clock.
pub(super) fn unix_time() -> std::time::Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// Returns whether a run updates the store's index, rather than building it again.
///
/// # Errors
/// When the store can't be read.
pub(super) fn can_be_updated(reader: &Reader, repository: &str) -> Result<bool, StoreError> {
    Ok(is_current(reader, repository)? && !reader.has_sparse_node_ids()?)
}

/// Returns whether the store has a complete index of this repository, made by this version.
///
/// # Errors
/// When the store can't be read.
pub fn is_current(reader: &Reader, repository: &str) -> Result<bool, StoreError> {
    Ok(reader.meta("complete")?.is_some()
        && reader.meta("engine")?.as_deref() == Some(ENGINE_VERSION)
        && reader.repository() == repository)
}

/// Returns the number of unresolved references by reason, over all files.
///
/// # Errors
/// When the store can't be read.
pub fn unresolved(reader: &Reader) -> Result<Vec<(Unresolved, u64)>, StoreError> {
    let Some(text) = reader.meta(UNRESOLVED)? else { return Ok(Vec::new()) };
    serde_json::from_str(&text)
        .map_err(|error| StoreError::Facts { path: reader.path().to_owned(), detail: error.to_string() })
}
