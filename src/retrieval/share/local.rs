//! Copies of indexes on this machine: those of the repository's other worktrees, and those in a cache folder.
//!
//! The cache has the last index of each repository that took long to build, up to a total size; the least recently used
//! go first. Its files have no feedback and no tasks.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::error::ShareError;
use super::manifest::{Names, version};
use super::publish::io;
use crate::index::is_current;
use crate::scan::Repository;
use crate::scan::repository::{has_commit, worktrees};
use crate::store::location::DataFolder;
use crate::store::{Reader, StoreError, check_copy, export_local_copy, sibling_path};
use crate::user_dirs;

/// The environment variable that switches the cache off with `off`, or names its folder.
const CACHE_VARIABLE: &str = "KNOWING_CACHE";
/// Limit of the size of the cache.
pub const MAX_CACHE_BYTES: u64 = 2 << 30;

/// A copy of an index of the same repository, checked, beside the database that it is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalCopy {
    pub copy: PathBuf,
    /// The worktree; `None` for the cache.
    pub worktree: Option<PathBuf>,
}

/// Copies the index of the repository's worktree that was indexed last. Returns `None` if no other has a current one.
///
/// # Errors
/// When that index is damaged, or the copy can't be written.
pub fn copy_of_worktree(
    repository: &Repository,
    data: &DataFolder,
    database: &Path,
) -> Result<Option<LocalCopy>, ShareError> {
    let indexed = worktrees(&repository.root).into_iter().filter_map(|root| {
        let other = data.database(&root).ok()?;
        let modified = std::fs::metadata(&other).and_then(|metadata| metadata.modified()).ok()?;
        let is_usable = other != database
            && Reader::open(&other).is_ok_and(|reader| is_current(&reader, &repository.id).unwrap_or(false));
        is_usable.then_some((modified, root, other))
    });
    let Some((_, root, other)) = indexed.max() else { return Ok(None) };
    let copy = new_copy(database)?;
    export_local_copy(&other, &copy)?;
    checked(copy, &other).map(|copy| Some(LocalCopy { copy, worktree: Some(root) }))
}

/// The cache of indexes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cache {
    folder: PathBuf,
    max_bytes: u64,
}

/// An index in the cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedIndex {
    /// The repository's id, or the name of the file if another version of the program wrote it.
    pub repository: String,
    pub bytes: u64,
    /// When it was used last, in seconds since 1970.
    pub used: u64,
    path: PathBuf,
}

impl Cache {
    /// Returns the user's cache; `None` if it is switched off or there is no home folder.
    ///
    /// # Errors
    /// When the variable names a relative folder.
    pub fn of_user() -> Result<Option<Cache>, StoreError> {
        let folder = match std::env::var_os(CACHE_VARIABLE) {
            Some(value) if value == "off" || value.is_empty() => None,
            Some(value) => user_dirs::chosen(CACHE_VARIABLE, Some(value))?,
            None => user_dirs::cache(),
        };
        Ok(folder.map(|folder| Cache::new(folder, MAX_CACHE_BYTES)))
    }

    /// Returns the cache in a folder, which is created when it is needed.
    pub fn new(folder: PathBuf, max_bytes: u64) -> Cache {
        Cache { folder, max_bytes }
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Copies the cached index of a repository. Returns `None` if there is none.
    ///
    /// # Errors
    /// When it is damaged, which removes it, or the copy can't be written.
    pub fn copy(&self, repository: &Repository, database: &Path) -> Result<Option<LocalCopy>, ShareError> {
        let path = self.path(&repository.id);
        let is_usable = |reader: Reader| {
            is_current(&reader, &repository.id).unwrap_or(false) && is_of(&reader, repository).unwrap_or(false)
        };
        if !Reader::open(&path).is_ok_and(is_usable) {
            return Ok(None);
        }
        let copy = new_copy(database)?;
        std::fs::copy(&path, &copy).map_err(|cause| io("write", &copy, cause))?;
        let touched = File::options().append(true).open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        touched.map_err(|cause| io("write", &path, cause))?;
        match checked(copy, &path) {
            Ok(copy) => Ok(Some(LocalCopy { copy, worktree: None })),
            Err(error) => {
                std::fs::remove_file(&path).map_err(|cause| io("remove", &path, cause))?;
                Err(error)
            }
        }
    }

    /// Puts a copy of an index into the cache, and removes those that were not used for longest until all fit.
    ///
    /// # Errors
    /// When the folder can't be written.
    pub fn put(&self, repository: &Repository, database: &Path) -> Result<(), ShareError> {
        let path = self.path(&repository.id);
        let folder = path.parent().unwrap_or(&self.folder);
        std::fs::create_dir_all(folder).map_err(|cause| io("make", folder, cause))?;
        // Other processes see a whole file or none.
        let new =
            tempfile::Builder::new().prefix("new-").tempdir_in(folder).map_err(|cause| io("write", folder, cause))?;
        let copy = new.path().join("graph.db");
        export_local_copy(database, &copy)?;
        std::fs::rename(&copy, &path).map_err(|cause| io("write", &path, cause))?;
        let mut total = 0;
        for entry in self.entries()? {
            total += entry.bytes;
            if total > self.max_bytes {
                entry.remove()?;
            }
        }
        Ok(())
    }

    /// Returns the cached indexes, the most recently used first.
    ///
    /// # Errors
    /// When the folder can't be read.
    pub fn entries(&self) -> Result<Vec<CachedIndex>, ShareError> {
        let mut entries = Vec::new();
        for folder in read_folder(&self.folder.join(INDEXES))? {
            for path in read_folder(&folder)?.into_iter().filter(|path| path.extension().is_some_and(|end| end == "db"))
            {
                let Ok(metadata) = std::fs::metadata(&path) else { continue };
                let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
                let named = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
                let repository = Reader::open(&path).map_or(named, |reader| reader.repository().to_owned());
                let used = modified.unwrap_or_default();
                entries.push((used, CachedIndex { repository, bytes: metadata.len(), used: used.as_secs(), path }));
            }
        }
        entries.sort_by(|(one, first), (two, second)| two.cmp(one).then_with(|| first.path.cmp(&second.path)));
        Ok(entries.into_iter().map(|(_, entry)| entry).collect())
    }

    /// Returns the folder of the catalogs of a share.
    pub(super) fn catalogs(&self, url: &str) -> PathBuf {
        self.folder.join(CATALOGS).join(&blake3::hash(url.as_bytes()).to_hex()[..16])
    }

    /// Removes the catalogs of all shares, which are fetched again when they are needed.
    ///
    /// # Errors
    /// When they can't be removed.
    pub fn remove_catalogs(&self) -> Result<(), ShareError> {
        let folder = self.folder.join(CATALOGS);
        match std::fs::remove_dir_all(&folder) {
            Err(cause) if cause.kind() != std::io::ErrorKind::NotFound => Err(io("remove", &folder, cause)),
            _ => Ok(()),
        }
    }

    fn path(&self, repository: &str) -> PathBuf {
        self.folder.join(INDEXES).join(version()).join(format!("{}.db", Names::readable(repository)))
    }
}

impl CachedIndex {
    /// Removes the index from the cache.
    ///
    /// # Errors
    /// When it can't be removed.
    pub fn remove(&self) -> Result<(), ShareError> {
        std::fs::remove_file(&self.path).map_err(|cause| io("remove", &self.path, cause))
    }
}

/// Returns whether an index is of this repository, and not of another one whose folder has the same name: both have the
/// same remote, or its commit is one of this repository.
fn is_of(index: &Reader, repository: &Repository) -> Result<bool, StoreError> {
    let commit = index.latest_snapshot()?.map(|snapshot| snapshot.commit);
    Ok(repository.has_remote() || commit.is_some_and(|commit| has_commit(&repository.root, &commit)))
}

/// Folder of the indexes in the cache.
const INDEXES: &str = "indexes";
/// Folder of the catalogs in the cache.
const CATALOGS: &str = "catalogs";

fn read_folder(folder: &Path) -> Result<Vec<PathBuf>, ShareError> {
    match std::fs::read_dir(folder) {
        Ok(entries) => Ok(entries.flatten().map(|entry| entry.path()).filter(|path| !path.is_symlink()).collect()),
        Err(error) if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
            Ok(Vec::new())
        }
        Err(cause) => Err(io("read", folder, cause)),
    }
}

/// Returns the path of a copy beside a database, where nothing is any more.
fn new_copy(database: &Path) -> Result<PathBuf, ShareError> {
    let copy = sibling_path(database, "fetched");
    match std::fs::remove_file(&copy) {
        Err(cause) if cause.kind() != std::io::ErrorKind::NotFound => Err(io("remove", &copy, cause)),
        _ => Ok(copy),
    }
}

fn checked(copy: PathBuf, source: &Path) -> Result<PathBuf, ShareError> {
    let Some(problem) = check_copy(&copy) else { return Ok(copy) };
    std::fs::remove_file(&copy).map_err(|cause| io("remove", &copy, cause))?;
    Err(ShareError::DamagedCopy { path: source.to_owned(), detail: problem })
}
