//! Detects that the checkout did not change since the last run, by the stamps of the files and folders that it looked at.
//!
//! They are in the store's cache. Their key has the state of the index and a hash of what else a walk depends on (see
//! [`surroundings`](crate::scan::surroundings)), so that those of another place or of other settings are not found. A run that
//! writes deletes them. Without stamps a run compares all files.

use std::path::Path;

use super::inputs::are_head_and_scip_known;
use super::report::{Clock, IndexReport, Phase};
use super::run::{can_be_updated, unresolved};
use crate::scan::{CheckoutStamps, Repository};
use crate::store::{Reader, StoreError, Writer, cache_put};

/// The kind of the cached value.
const KIND: &str = "checkout";

/// Returns the report of a run if the checkout did not change; `None` if it may have. `surroundings` is their present hash.
///
/// # Errors
/// When the store can't be read.
pub(super) fn report(
    repository: &Repository,
    reader: &Reader,
    surroundings: &str,
) -> Result<Option<IndexReport>, StoreError> {
    let mut clock = Clock::new();
    if !is_untouched(repository, reader, surroundings)? {
        return Ok(None);
    }
    let unresolved = unresolved(reader)?;
    clock.end(Phase::Scan);
    Ok(Some(IndexReport {
        repository: repository.id.clone(),
        database: reader.path().to_owned(),
        is_unchanged: true,
        unresolved,
        timings: clock.finish(),
        ..IndexReport::default()
    }))
}

/// Returns whether the checkout is known to be as it was indexed.
///
/// # Errors
/// When the store can't be read.
pub(super) fn is_untouched(repository: &Repository, reader: &Reader, surroundings: &str) -> Result<bool, StoreError> {
    if !can_be_updated(reader, &repository.id)? {
        return Ok(false);
    }
    let Some(state) = reader.state()? else { return Ok(false) };
    let Some(stamps) = reader.cache_get::<CheckoutStamps>(KIND, &key(&state, surroundings))? else { return Ok(false) };
    Ok(are_head_and_scip_known(repository, reader)? && stamps.hold(&repository.root))
}

/// The stamps of a checkout that was read completely, and the state of the index that was made of it.
pub(super) struct Seen {
    pub(super) stamps: CheckoutStamps,
    pub(super) state: String,
}

/// Caches what a run has seen of the checkout. `surroundings` is their hash before it began. An error is ignored: the next run
/// compares all files then.
pub(super) fn remember(database: &Path, seen: &Seen, surroundings: &str) {
    cache_put(database, KIND, &key(&seen.state, surroundings), &seen.stamps, 1).unwrap_or_default();
}

/// Forgets what earlier runs have seen, because this one writes.
///
/// # Errors
/// When the store can't be written.
pub(super) fn forget(writer: &mut Writer) -> Result<(), StoreError> {
    writer.clear_cached(KIND)
}

fn key(state: &str, surroundings: &str) -> String {
    format!("{state} {surroundings}")
}
