//! Whether an index is behind the checkout. Writes nothing.

use std::collections::HashMap;

use crate::scan::read::{MAX_FILE_BYTES, read_inside};
use crate::scan::{Repository, discover, read_manifests, surroundings};
use crate::store::{Reader, StoreError};

use super::checkout::{Stored, hash_of, plan};
use super::documents::differences;
use super::inputs::Inputs;
use super::manifests::ManifestChanges;
use super::run::can_be_updated;
use super::untouched::{KnownFiles, known_files};

/// The differences between an index and the checkout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Staleness {
    /// Whether there is no complete index.
    pub is_absent: bool,
    /// Whether the index was made by another version, or of another repository.
    pub is_other: bool,
    pub changed_files: usize,
    pub new_files: usize,
    pub removed_files: usize,
    /// Whether a manifest, the owners of the files, a SCIP index or the settings have changed.
    pub manifests_changed: bool,
    /// Whether another commit is checked out, or the history can't be read as it was.
    pub head_changed: bool,
}

impl Staleness {
    /// Returns whether the index is behind.
    pub fn is_stale(&self) -> bool {
        *self != Staleness::default()
    }

    /// Returns the number of files that are not as they were indexed.
    pub fn files(&self) -> usize {
        self.changed_files + self.new_files + self.removed_files
    }
}

/// Compares an index with the checkout. Files whose size and time are unchanged are not read.
///
/// # Errors
/// When the store can't be read.
pub fn staleness(repository: &Repository, reader: &Reader) -> Result<Staleness, StoreError> {
    if !can_be_updated(reader, &repository.id)? {
        return Ok(Staleness { is_other: true, ..Staleness::default() });
    }
    let root = &repository.root;
    let discovery = match known_files(repository, reader, &surroundings(root)).unwrap_or_default() {
        Some(KnownFiles { is_same: true, .. }) => return Ok(Staleness::default()),
        Some(KnownFiles { discovery, .. }) => discovery,
        None => discover(root),
    };
    let (manifests, _) = read_manifests(root, &discovery.manifests);
    let hashes: Vec<(String, [u8; 32])> =
        manifests.iter().map(|manifest| (manifest.path.clone(), hash_of(manifest))).collect();
    let changes = Inputs::read(repository, reader, &discovery).changes(reader)?;
    if changes.own_languages {
        return Ok(Staleness { is_other: true, ..Staleness::default() });
    }
    let manifests = ManifestChanges::between(&reader.manifests()?, &hashes);
    let manifests_changed = manifests.is_any || changes.owners || changes.scip || changes.settings;
    let [changed_files, new_files, removed_documents] = differences(root, &discovery.documents, reader)?;
    let skips = reader.skips()?;
    let skipped_sizes: HashMap<&str, u64> = skips.iter().map(|skip| (skip.path.as_str(), skip.size)).collect();
    let plan = plan(&discovery, Stored { files: reader.files()?, skips: &skips, are_stamps_valid: !changes.settings });
    let removed_files = plan.removed.len() + removed_documents;
    let mut staleness = Staleness {
        changed_files,
        new_files,
        removed_files,
        manifests_changed,
        head_changed: changes.head,
        ..Staleness::default()
    };
    for file in plan.changed {
        let is_same = |hash: [u8; 32]| {
            let bytes = read_inside(root, &file.found.path, MAX_FILE_BYTES);
            bytes.is_ok_and(|bytes| *blake3::hash(&bytes).as_bytes() == hash)
        };
        match file.stored {
            // It was left out for its content, a moment after it was written, so its time proves nothing.
            None if skipped_sizes.get(file.found.path.as_str()) == Some(&file.found.size) => (),
            None => staleness.new_files += 1,
            Some(row) if !is_same(row.content_hash) => staleness.changed_files += 1,
            Some(_) => (),
        }
    }
    Ok(staleness)
}
