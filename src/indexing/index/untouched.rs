//! Tells a run that has nothing to do before it begins, by the stamps of what the last one looked at.
//!
//! They are in the store's cache, under a key that changes with the index and with everything else that a run depends on, so
//! that stamps of another index, another place or other settings are not found. Where they are missing, a run finds out by
//! comparing all files; stamps never hide a change that this would find.

use std::path::Path;

use super::history;
use super::report::{Clock, IndexReport, Phase};
use super::run::{is_current, unresolved};
use super::scip::{SCIP, ScipIndexes};
use crate::scan::{CheckoutStamps, Repository};
use crate::store::{Reader, StoreError, cache_put};

/// The kind of the cached value.
const KIND: &str = "checkout";

/// Returns the report of a run that finds nothing to do; `None` if there may be something. `surroundings` are the present
/// ones of the checkout.
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
    if !is_current(reader, &repository.id)? || reader.has_sparse_node_ids()? {
        return Ok(false);
    }
    let Some(key) = key(reader, surroundings)? else { return Ok(false) };
    let Some(stamps) = reader.cache_get::<CheckoutStamps>(KIND, &key)? else { return Ok(false) };
    let head = history::head(&repository.root);
    let scip = ScipIndexes::find(repository, reader.path()).key();
    Ok(head.problem.is_none()
        && history::is_known(reader, &head)?
        && reader.meta(SCIP)?.unwrap_or_default() == scip
        && stamps.hold(&repository.root))
}

/// Keeps the stamps of the checkout with which the index at `database` agrees, and the surroundings as they were before it
/// was read. They are a cache, and may be lost.
pub(super) fn remember(database: &Path, stamps: &CheckoutStamps, surroundings: &str) {
    if let Ok(Some(key)) = Reader::open(database).and_then(|reader| key(&reader, surroundings)) {
        cache_put(database, KIND, &key, stamps, 1).unwrap_or_default();
    }
}

/// Returns the key of the stamps; `None` in a store whose state has no name.
fn key(reader: &Reader, surroundings: &str) -> Result<Option<String>, StoreError> {
    Ok(reader.state()?.map(|state| format!("{state} {surroundings}")))
}
