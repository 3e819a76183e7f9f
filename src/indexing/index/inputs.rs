//! The inputs of an index besides files and manifests, and how they differ from those that were indexed. A run and the question
//! whether an index is behind ask here, so that they agree.

use super::history::{self, GitHead};
use super::scip::ScipIndexes;
use crate::scan::{Discovery, Owners, Repository};
use crate::store::{Reader, StoreError, Writer};

/// Key in `meta` of a hash of the code owners of all files.
const OWNERS: &str = "owners";
/// Key in `meta` of the size and time of the SCIP indexes that the edges were made with.
const SCIP: &str = "scip";
/// Key in `meta` of the settings by which files were chosen.
const SETTINGS: &str = "settings";
/// Key in `meta` of the versions of the languages of the user's settings whose files the repository has.
const OWN_LANGUAGES: &str = "own_languages";

/// The inputs of an index.
pub(super) struct Inputs<'a> {
    pub(super) head: GitHead,
    /// Code owners, if the repository declares them.
    pub(super) owners: Option<Owners>,
    pub(super) scip: ScipIndexes<'a>,
    owners_hash: String,
    settings: String,
    own_languages: String,
}

/// Which inputs differ from those of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct InputChanges {
    pub(super) head: bool,
    pub(super) owners: bool,
    pub(super) scip: bool,
    pub(super) settings: bool,
    /// All files are indexed again then.
    pub(super) own_languages: bool,
}

impl<'a> Inputs<'a> {
    /// Reads the inputs of the files that were found, for the index of this reader.
    pub(super) fn read(repository: &'a Repository, reader: &Reader, discovery: &Discovery) -> Inputs<'a> {
        let owners = Owners::read(&repository.root);
        Inputs {
            head: history::head(&repository.root),
            owners_hash: owners.as_ref().map_or_else(String::new, |owners| hash_owners(owners, discovery)),
            owners,
            scip: ScipIndexes::find(repository, reader.path()),
            settings: discovery.settings.key(),
            own_languages: discovery.own_languages(),
        }
    }

    /// Compares the inputs with those of an index.
    ///
    /// # Errors
    /// When the store can't be read.
    pub(super) fn changes(&self, reader: &Reader) -> Result<InputChanges, StoreError> {
        let differs = |key: &str, value: &str| Ok::<_, StoreError>(reader.meta(key)?.unwrap_or_default() != value);
        Ok(InputChanges {
            head: !history::is_known(reader, &self.head)?,
            owners: differs(OWNERS, &self.owners_hash)?,
            scip: differs(SCIP, &self.scip.key())?,
            settings: differs(SETTINGS, &self.settings)?,
            own_languages: differs(OWN_LANGUAGES, &self.own_languages)?,
        })
    }

    /// Writes the inputs, except the head, which the history is written with.
    ///
    /// # Errors
    /// When the store can't be written.
    pub(super) fn write(&self, writer: &mut Writer) -> Result<(), StoreError> {
        writer.set_meta(OWNERS, &self.owners_hash)?;
        writer.set_meta(SCIP, &self.scip.key())?;
        writer.set_meta(SETTINGS, &self.settings)
    }

    /// Writes the versions of the languages of the user's settings into an empty store.
    ///
    /// # Errors
    /// When the store can't be written.
    pub(super) fn write_own_languages(&self, writer: &mut Writer) -> Result<(), StoreError> {
        if self.own_languages.is_empty() {
            return Ok(());
        }
        writer.set_meta(OWN_LANGUAGES, &self.own_languages)
    }
}

/// Returns whether the head and the SCIP indexes are known to be those of an index. It finds no files.
///
/// # Errors
/// When the store can't be read.
pub(super) fn are_head_and_scip_known(repository: &Repository, reader: &Reader) -> Result<bool, StoreError> {
    let head = history::head(&repository.root);
    let scip = ScipIndexes::find(repository, reader.path()).key();
    let is_known = head.problem.is_none() && history::is_known(reader, &head)?;
    Ok(is_known && reader.meta(SCIP)?.unwrap_or_default() == scip)
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
