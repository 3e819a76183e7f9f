//! One run: what changed, then the update, then the report.

use std::time::{SystemTime, UNIX_EPOCH};

use rayon::ThreadPool;

use super::checkout::Checkout;
use super::error::IndexError;
use super::report::{Clock, IndexReport, Phase, Progress};
use super::update::Update;
use crate::resolve::output::Unresolved;
use crate::scan::discover;
use crate::scan::repository::Repository;
use crate::store::{Reader, StoreError, Writer};

/// Changes with everything that makes what an earlier program stored wrong: facts, edges, search text.
const ENGINE: &str = "1";

/// Indexes the repository into the writer's store.
pub(super) fn run(
    repository: &Repository,
    mut writer: Writer,
    force: bool,
    pool: &ThreadPool,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<IndexReport, IndexError> {
    let mut clock = Clock::new();
    let started_ns = since_1970().as_nanos() as i64;
    progress(Progress { phase: Phase::Scan, done: 0, total: 0 });
    let discovery = pool.install(|| discover(&repository.root));
    let is_new = force || !is_current(writer.reader(), &repository.id)?;
    if is_new {
        writer.begin()?;
        writer.clear()?;
        writer.set_repository(&repository.id)?;
        writer.set_meta("engine", ENGINE)?;
    }
    let known_skips = writer.reader().skips()?;
    let known = (writer.reader().files()?, &known_skips[..]);
    let checkout = Checkout::read(&repository.root, discovery, known, started_ns, pool, progress, &mut clock);
    let manifests_changed = writer.reader().manifests()? != checkout.manifest_hashes;
    let mut report = IndexReport {
        repository: repository.id.clone(),
        parsed_files: checkout.parsed.len(),
        removed_files: checkout.removed.len(),
        ..IndexReport::default()
    };
    let rows_changed = !checkout.touched.is_empty() || checkout.skips != known_skips;
    report.is_unchanged = checkout.parsed.is_empty() && checkout.removed.is_empty() && !manifests_changed && !is_new;
    if rows_changed || !report.is_unchanged {
        writer.begin()?;
        checkout.touched.iter().try_for_each(|row| writer.put_file(row))?;
        writer.put_skips(&checkout.skips)?;
    }
    if !report.is_unchanged {
        writer.put_manifests(&checkout.manifest_hashes)?;
        let update = Update { repository: &repository.id, pool, progress, is_new, manifests_changed };
        update.apply(checkout, &mut writer, &mut report, &mut clock)?;
    }
    report.unresolved = unresolved(writer.reader())?;
    report.stats = writer.reader().stats()?;
    if rows_changed || !report.is_unchanged {
        writer.commit()?;
    }
    clock.end(Phase::Write);
    report.timings = clock.finish();
    Ok(report)
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

/// References without an edge over all files, as the last runs counted them.
///
/// # Errors
/// When the store can't be read.
pub fn unresolved(reader: &Reader) -> Result<Vec<(Unresolved, u64)>, StoreError> {
    let Some(text) = reader.meta(UNRESOLVED)? else { return Ok(Vec::new()) };
    serde_json::from_str(&text)
        .map_err(|error| StoreError::Facts { path: reader.path().to_owned(), detail: error.to_string() })
}

/// Under this name the store keeps the number of references without an edge, by reason.
pub(super) const UNRESOLVED: &str = "unresolved";
