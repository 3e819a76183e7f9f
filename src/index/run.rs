//! One run: what changed, then the update, then the report.

use std::collections::HashSet;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use rayon::ThreadPool;

use super::checkout::Checkout;
use super::error::IndexError;
use super::report::{Clock, IndexReport, Listener, Phase, Progress};
use super::update::Update;
use super::{history, snapshot};
use crate::resolve::output::Unresolved;
use crate::scan::{Discovery, Owners, Repository, discover};
use crate::store::{Reader, StoreError, Writer};

/// Changes with everything that makes what an earlier program stored wrong: facts, edges, search text.
const ENGINE: &str = "8";

/// Under this name the store keeps a hash of who owns which file.
const OWNERS: &str = "owners";

/// Under this name the store keeps the number of references without an edge, by reason.
pub(super) const UNRESOLVED: &str = "unresolved";

/// Indexes the repository into the writer's store.
pub(super) fn run(
    repository: &Repository,
    mut writer: Writer,
    force: bool,
    pool: &ThreadPool,
    listener: &dyn Listener,
) -> Result<IndexReport, IndexError> {
    let root: &Path = &repository.root;
    let mut clock = Clock::new();
    let started_ns = since_1970().as_nanos() as i64;
    listener.progress(Progress { phase: Phase::Scan, done: 0, total: 0 });
    let discovery = pool.install(|| discover(root));
    let is_new = force || !is_current(writer.reader(), &repository.id)?;
    if is_new {
        start(&mut writer, &repository.id)?;
    }
    let head = history::head(root);
    let owners = Owners::read(root);
    let owners_hash = owners.as_ref().map_or_else(String::new, |owners| hash_owners(owners, &discovery));
    let known_skips = writer.reader().skips()?;
    let known = (writer.reader().files()?, &known_skips[..]);
    let checkout = Checkout::read(repository, discovery, known, started_ns, pool, listener, &mut clock);

    let manifests_changed = writer.reader().manifests()? != checkout.manifest_hashes;
    let owners_changed = writer.reader().meta(OWNERS)?.unwrap_or_default() != owners_hash;
    let graph_changed = is_new || manifests_changed || owners_changed || checkout.has_changes();
    let head_changed = !history::is_known(&writer, &head)?;
    let rows_changed = !checkout.touched.is_empty() || checkout.skips != known_skips;
    let mut report = IndexReport {
        repository: repository.id.clone(),
        is_unchanged: !graph_changed && !head_changed,
        parsed_files: checkout.parsed.len(),
        removed_files: checkout.removed.len(),
        notes: head.problem.iter().cloned().collect(),
        ..IndexReport::default()
    };
    // A store that was written before states had names gets one, so that what was loaded can be known again.
    let is_nameless = writer.reader().state()?.is_none();
    let is_written = rows_changed || graph_changed || head_changed || is_nameless;
    if is_written {
        writer.begin()?;
        checkout.touched.iter().try_for_each(|row| writer.put_file(row))?;
        writer.put_skips(&checkout.skips)?;
        writer.put_manifests(&checkout.manifest_hashes)?;
        writer.set_meta(OWNERS, &owners_hash)?;
    }
    let mut renamed = HashSet::new();
    if graph_changed {
        let (repository, owners) = (&repository.id, owners.as_ref());
        let update = Update { repository, pool, listener, is_new, manifests_changed, owners_changed, owners };
        renamed = update.apply(checkout, &mut writer, &mut report, &mut clock)?;
    }
    if graph_changed || head_changed {
        report.notes.extend(history::refresh(root, &head, &renamed, &mut writer, pool)?);
        snapshot::append(&mut writer, &head.commit)?;
    }
    if graph_changed || head_changed || is_nameless {
        writer.renew_state()?;
    }
    report.unresolved = unresolved(writer.reader())?;
    if is_written {
        writer.commit()?;
    }
    clock.end(Phase::Write);
    report.timings = clock.finish();
    Ok(report)
}

/// Empties the store for a build from nothing.
fn start(writer: &mut Writer, repository: &str) -> Result<(), StoreError> {
    writer.begin()?;
    writer.clear()?;
    writer.set_repository(repository)?;
    writer.set_meta("engine", ENGINE)
}

/// The time since 1970, zero on a clock that stands before that.
pub(super) fn since_1970() -> std::time::Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// True when the store holds a complete index of this repository by this program.
fn is_current(reader: &Reader, repository: &str) -> Result<bool, StoreError> {
    Ok(reader.meta("complete")?.is_some()
        && reader.meta("engine")?.as_deref() == Some(ENGINE)
        && reader.repository() == repository)
}

fn hash_owners(owners: &Owners, discovery: &Discovery) -> String {
    let mut hash = blake3::Hasher::new();
    for file in &discovery.files {
        for owner in owners.for_path(&file.path) {
            hash.update(format!("{}\n{owner}\n", file.path).as_bytes());
        }
    }
    hash.finalize().to_hex().to_string()
}

/// References without an edge over all files, as the last runs counted them.
///
/// # Errors
/// When the store can't be read.
pub fn unresolved(reader: &Reader) -> Result<Vec<(Unresolved, u64)>, StoreError> {
    let Some(text) = reader.meta(UNRESOLVED)? else { return Ok(Vec::new()) };
    serde_json::from_str(&text)
        .map_err(|error| StoreError::Facts { path: reader.path().to_owned(), detail: error.to_string() })
}
