//! Remembers what the last run found in the checkout, so that the next one need not walk through it where at most contents changed.
//!
//! The walk is in the store's cache. Its key has the state of the index and a hash of what else a walk depends on (see
//! [`surroundings`](crate::scan::surroundings)), so that one of another place or of other settings is not found. A run that
//! writes deletes it.

use std::path::Path;

use super::inputs::are_head_and_scip_known;
use super::report::{Clock, IndexReport, Phase};
use super::run::{can_be_updated, unresolved};
use crate::scan::{Discovery, KnownWalk, Repository, WalkedAgain};
use crate::store::{Reader, StoreError, Writer, cache_put};

/// The kind of the cached value.
const KIND: &str = "checkout";

/// The files of the checkout, known without a walk.
pub(super) struct KnownFiles {
    pub(super) discovery: Discovery,
    /// The state of the index whose run had walked.
    pub(super) state: String,
    /// Whether nothing changed that an index is made of.
    pub(super) is_same: bool,
}

/// Returns the files of the checkout without walking, if the folders and rules of the last walk are unchanged. `surroundings` is
/// their present hash.
///
/// # Errors
/// When the store can't be read.
pub(super) fn known_files(
    repository: &Repository,
    reader: &Reader,
    surroundings: &str,
) -> Result<Option<KnownFiles>, StoreError> {
    if !can_be_updated(reader, &repository.id)? {
        return Ok(None);
    }
    let Some(state) = reader.state()? else { return Ok(None) };
    let Some(known) = reader.cache_get::<KnownWalk>(KIND, &key(&state, surroundings))? else { return Ok(None) };
    let Some(WalkedAgain { discovery, is_same }) = known.again(&repository.root) else { return Ok(None) };
    let is_same = is_same && are_head_and_scip_known(repository, reader)?;
    Ok(Some(KnownFiles { discovery, state, is_same }))
}

/// Returns the report of a run that finds nothing changed.
///
/// # Errors
/// When the store can't be read.
pub(super) fn report(repository: &Repository, reader: &Reader, mut clock: Clock) -> Result<IndexReport, StoreError> {
    let unresolved = unresolved(reader)?;
    clock.end(Phase::Scan);
    Ok(IndexReport {
        repository: repository.id.clone(),
        database: reader.path().to_owned(),
        is_unchanged: true,
        unresolved,
        timings: clock.finish(),
        ..IndexReport::default()
    })
}

/// The walk of a checkout that was read completely, and the state of the index that was made of it.
pub(super) struct Seen {
    pub(super) walk: KnownWalk,
    pub(super) state: String,
}

/// Caches what a run has seen of the checkout. `surroundings` is their hash before it began. An error is ignored: the next run
/// walks through the checkout then.
pub(super) fn remember(database: &Path, seen: &Seen, surroundings: &str) {
    cache_put(database, KIND, &key(&seen.state, surroundings), &seen.walk, 1).unwrap_or_default();
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
