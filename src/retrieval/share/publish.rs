//! Publishes the index of a commit.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use super::catalogs;
use super::error::ShareError;
use super::fetch::fetch_one;
use super::manifest::{CommitKey, MAX_DATABASE_BYTES, Manifest, Names, version};
use super::remote::Share;
use crate::catalog::{Catalog, readmes};
use crate::index::is_current;
use crate::scan::Repository;
use crate::scan::changes::uncommitted_paths;
use crate::scan::history::{Tip, tip};
use crate::store::{Reader, StoreError, check_copy, export_copy};
use crate::temporary::TemporaryFolder;

/// Level of compression. For an index of Django (37.7 MB): level 3 20.5 MB in 0.2 s, level 9 19.5 MB in 1.2 s, level 19
/// 18.8 MB in 25 s.
const LEVEL: i32 = 9;

/// The contents of a published index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    pub repository: String,
    /// The commit, in hexadecimal.
    pub commit: String,
    pub paths: Vec<String>,
    pub symbols: usize,
    /// Number of commits whose subjects are in the index.
    pub commits: usize,
    /// Number of README files whose words are in the catalog.
    pub readmes: usize,
    /// Size of the encoded catalog, and the number of its terms.
    pub catalog_bytes: usize,
    pub catalog_terms: usize,
}

/// The result of publishing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishReport {
    /// The commit, in hexadecimal.
    pub commit: String,
    /// Whether the commit's index had been published before, so that nothing was written.
    pub is_known: bool,
    /// Size of the compressed index.
    pub compressed_bytes: u64,
}

/// Returns what [`publish`] would write. Connects to nothing.
///
/// # Errors
/// Those of [`publish`] that concern this machine.
pub fn outline(repository: &Repository, database: &Path) -> Result<Outline, ShareError> {
    let tip = committed_tip(repository)?;
    let reader = indexed(repository, database)?;
    let readmes = readmes(&reader, &repository.root)?;
    let catalog = Catalog::new(&reader, &readmes)?;
    Ok(Outline {
        readmes: readmes.len(),
        catalog_bytes: catalog.to_bytes().len(),
        catalog_terms: catalog.term_count(),
        repository: repository.id.clone(),
        commit: hex::encode(tip.commit),
        paths: reader.files()?.into_iter().map(|file| file.path).collect(),
        symbols: reader.stats()?.symbols.iter().map(|(_, count)| *count as usize).sum(),
        commits: reader.commit_hashes()?.len(),
    })
}

/// Publishes the index at `database`, which must be of the checked-out commit, and its catalog. Two machines may publish the same commit
/// at the same time: the first manifest stays.
///
/// # Errors
/// When files differ from the commit, there is no complete index, or the share can't be written.
pub fn publish(share: &Share, repository: &Repository, database: &Path) -> Result<PublishReport, ShareError> {
    share.require_listed("publish to")?;
    let Tip { commit, tree } = committed_tip(repository)?;
    let reader = indexed(repository, database)?;
    let catalog = Catalog::new(&reader, &readmes(&reader, &repository.root)?)?;
    drop(reader);
    let (names, key) = (Names::new(&repository.id), CommitKey { tree, commit });
    let known = published(share, &names, &key, repository)?;
    if let Published::Good(manifest) = &known {
        let compressed_bytes = manifest.compressed_bytes;
        // A run that was killed wrote none.
        catalogs::put(share, &catalog)?;
        return Ok(PublishReport { commit: hex::encode(commit), is_known: true, compressed_bytes });
    }
    let plain = copy_of(database)?;
    let packed = zstd::bulk::compress(&plain, LEVEL).map_err(|cause| io("compress", database, cause))?;
    let manifest = Manifest {
        version: version(),
        repository: repository.id.clone(),
        commit: hex::encode(commit),
        tree: hex::encode(tree),
        object: blake3::hash(&packed).to_hex().to_string(),
        compressed_bytes: packed.len() as u64,
        bytes: plain.len() as u64,
        published_at: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
    };
    let object = names.object(&manifest.object);
    // Also over an equal object: a collector may be about to delete an old one, and a new time keeps it.
    share.replace(&object, packed.clone())?;
    let manifest_name = names.manifest(&key);
    let is_known = match known {
        Published::Damaged => share.replace(&manifest_name, manifest.to_bytes()).map(|()| false)?,
        _ => !share.put_new(&manifest_name, manifest.to_bytes())?,
    };
    // A collector that did not see the manifest may have deleted the database.
    if !is_known && share.size(&object)? != Some(manifest.compressed_bytes) {
        share.replace(&object, packed)?;
    }
    catalogs::put(share, &catalog)?;
    Ok(PublishReport { commit: manifest.commit, is_known, compressed_bytes: manifest.compressed_bytes })
}

/// The state of a commit's index in a share.
enum Published {
    Nothing,
    /// A manifest or a database that others refuse.
    Damaged,
    Good(Manifest),
}

/// Fetches what is published of a commit, as others would, since only that shows whether it is good.
fn published(share: &Share, names: &Names, key: &CommitKey, repository: &Repository) -> Result<Published, ShareError> {
    if share.size(&names.manifest(key))?.is_none() {
        return Ok(Published::Nothing);
    }
    let folder = temporary_folder()?;
    match fetch_one(share, names, key, repository, &folder.path().join("graph.db"), &|_, _| {}) {
        Ok((_, manifest)) => Ok(Published::Good(manifest)),
        Err(ShareError::Damaged { .. }) => Ok(Published::Damaged),
        Err(error) => Err(error),
    }
}

/// Returns the checked-out commit if all that is indexed is as in it.
fn committed_tip(repository: &Repository) -> Result<Tip, ShareError> {
    let tip = tip(&repository.root)?.ok_or_else(|| ShareError::NoCommit { path: repository.root.clone() })?;
    let changed = uncommitted_paths(&repository.root)?;
    match changed.first() {
        None => Ok(tip),
        Some(first) => Err(ShareError::Uncommitted { count: changed.len(), example: first.clone() }),
    }
}

/// Opens the index of the repository.
fn indexed(repository: &Repository, database: &Path) -> Result<Reader, ShareError> {
    let reader = Reader::open(database)?;
    match is_current(&reader, &repository.id)? {
        true => Ok(reader),
        false => Err(StoreError::Missing { path: database.to_owned() }.into()),
    }
}

fn temporary_folder() -> Result<TemporaryFolder, ShareError> {
    TemporaryFolder::new("publish").map_err(|cause| io("make a folder in", &std::env::temp_dir(), cause))
}

/// Returns the bytes of a copy of the index without what is private.
fn copy_of(database: &Path) -> Result<Vec<u8>, ShareError> {
    let folder = temporary_folder()?;
    let copy = folder.path().join("graph.db");
    export_copy(database, &copy)?;
    let size = std::fs::metadata(&copy).map_err(|cause| io("read", &copy, cause))?.len();
    if size > MAX_DATABASE_BYTES {
        let cause = std::io::Error::new(std::io::ErrorKind::FileTooLarge, "it is larger than 16 GiB");
        return Err(io("publish", database, cause));
    }
    // Others check it, and would refuse it.
    if let Some(detail) = check_copy(&copy) {
        return Err(ShareError::Unpublishable { path: database.to_owned(), detail });
    }
    std::fs::read(&copy).map_err(|cause| io("read", &copy, cause))
}

/// Returns the error for a file of this machine.
pub(super) fn io(action: &'static str, path: &Path, cause: std::io::Error) -> ShareError {
    ShareError::Io { action, path: path.to_owned(), cause }
}
