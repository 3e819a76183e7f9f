//! Catalogs in a share: one of each repository, replaced by whoever publishes a later commit.
//!
//! The only objects of a share that change. A catalog is small and replaced as a whole, and its name follows from the
//! repository alone, so publishers need no lock: of two at once one stays, and either is a catalog of the repository.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::error::ShareError;
use super::local::Cache;
use super::manifest::Names;
use super::publish::io;
use super::remote::{Listed, Share};
use crate::atomic_file::{self, PRIVATE};
use crate::catalog::{CATALOG_VERSION, Catalog, MAX_CATALOG_BYTES};
use crate::text::display;

/// Limit of the catalogs of a share that are read.
const MAX_CATALOGS: usize = 20_000;
/// End of the names of catalogs.
const EXTENSION: &str = ".catalog";

/// The catalogs of a share.
#[derive(Debug, Default)]
pub struct SharedCatalogs {
    /// Sorted by the names of their objects.
    pub catalogs: Vec<Catalog>,
    /// Number of catalogs that were not in the cache.
    pub fetched: usize,
    pub fetched_bytes: u64,
    /// Sentences about skipped catalogs, and why the share was not asked, if it was not.
    pub problems: Vec<String>,
    /// The names of skipped catalogs, and what is wrong with each.
    skipped: Vec<(String, String)>,
}

/// Fetches the catalogs of a share. Those that `cache` has and that did not change are not fetched; if the share can't be
/// reached, those of the cache are used.
///
/// # Errors
/// When the share or the cache can't be used, and there is none of its catalogs in the cache.
pub fn shared_catalogs(share: &Share, cache: Option<&Cache>) -> Result<SharedCatalogs, ShareError> {
    share.require_listed("list")?;
    let folder = cache.map(|cache| cache.catalogs(share.url()));
    let listed = match (listed(share), &folder) {
        (Ok(listed), _) => listed,
        (Err(error), Some(folder)) => return cached_only(share, folder, error),
        (Err(error), None) => return Err(error),
    };
    let mut found = SharedCatalogs::default();
    let (small, large): (Vec<Listed>, Vec<Listed>) =
        listed.into_iter().partition(|object| object.size <= MAX_CATALOG_BYTES as u64);
    found.skipped.extend(large.into_iter().map(|object| (object.name, "it is larger than 200 kB".to_owned())));
    let files: Vec<Option<PathBuf>> =
        small.iter().map(|object| folder.as_ref().map(|folder| folder.join(file_name(object)))).collect();
    let mut bytes: Vec<Option<Vec<u8>>> =
        files.iter().map(|file| std::fs::read(file.as_deref()?).ok().filter(|bytes| is_catalog(bytes))).collect();
    let missing: Vec<usize> = (0..small.len()).filter(|index| bytes[*index].is_none()).collect();
    let keys: Vec<String> = missing.iter().map(|index| key(&small[*index].name)).collect();
    for (index, read) in missing.into_iter().zip(share.read_all(&keys, MAX_CATALOG_BYTES as u64)) {
        // One that was deleted since it was listed is none.
        let Some(read) = read? else { continue };
        found.fetched += 1;
        found.fetched_bytes += read.len() as u64;
        if let Some(file) = files[index].as_ref().filter(|_| is_catalog(&read)) {
            // Without the cache it is fetched again the next time.
            found.problems.extend(write(file, &read).err().map(|error| error.to_string()));
        }
        bytes[index] = Some(read);
    }
    for (object, bytes) in small.iter().zip(bytes) {
        found.add(&object.name, bytes);
    }
    found.problems.extend(found.note(share));
    found.problems.extend(share.note());
    if let Some(folder) = &folder {
        let removed = remove_others(folder, &files.into_iter().flatten().collect());
        found.problems.extend(removed.err().map(|error| error.to_string()));
    }
    Ok(found)
}

impl SharedCatalogs {
    fn add(&mut self, name: &str, bytes: Option<Vec<u8>>) {
        let problem = match bytes.map(|bytes| Catalog::from_bytes(&bytes)) {
            None => return,
            Some(Ok(catalog)) if object_name(catalog.repository()) == name => return self.catalogs.push(catalog),
            Some(Ok(_)) => "it is of another repository".to_owned(),
            Some(Err(error)) => error.to_string(),
        };
        self.skipped.push((name.to_owned(), problem));
    }

    /// Returns a sentence about all skipped catalogs, with the first as an example.
    fn note(&self, share: &Share) -> Option<String> {
        let (name, problem) = self.skipped.first()?;
        let (name, url) = (display::safe(name), share.url());
        Some(match self.skipped.len() {
            1 => format!("skipped the catalog {name} of {url}: {problem}"),
            count => format!("skipped {} catalogs of {url}, such as {name}: {problem}", display::thousands(count)),
        })
    }
}

/// Returns the catalogs in the cache, for a share that failed with `error`.
fn cached_only(share: &Share, folder: &Path, error: ShareError) -> Result<SharedCatalogs, ShareError> {
    let mut found = SharedCatalogs::default();
    for file in cached_files(folder)? {
        let bytes = std::fs::read(&file).map_err(|cause| io("read", &file, cause))?;
        let Ok(catalog) = Catalog::from_bytes(&bytes) else { continue };
        found.catalogs.push(catalog);
    }
    if found.catalogs.is_empty() {
        return Err(error);
    }
    found.problems.push(format!("{error}; used the catalogs of {} fetched before", share.url()));
    Ok(found)
}

/// Writes the catalog of a repository unless the share has that of a later commit.
pub(super) fn put(share: &Share, catalog: &Catalog) -> Result<(), ShareError> {
    let (key, bytes) = (key(&object_name(catalog.repository())), catalog.to_bytes());
    if share.size(&key)?.is_some() {
        let known = share.read_whole(&key, MAX_CATALOG_BYTES as u64)?;
        if known == bytes {
            return Ok(());
        }
        // A commit from the future would stay forever.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let is_past = |time: i64| u64::try_from(time).is_ok_and(|time| time <= now);
        let is_later = |known: &Catalog| {
            known.repository() == catalog.repository() && known.as_of() > catalog.as_of() && is_past(known.as_of())
        };
        if Catalog::from_bytes(&known).is_ok_and(|known| is_later(&known)) {
            return Ok(());
        }
    }
    share.replace(&key, bytes)
}

/// Returns the catalogs of a share, sorted by name.
pub(super) fn listed(share: &Share) -> Result<Vec<Listed>, ShareError> {
    let mut listed = share.list(&folder())?;
    listed.retain(|object| object.name.ends_with(EXTENSION));
    listed.sort_by(|one, two| one.name.cmp(&two.name));
    listed.truncate(MAX_CATALOGS);
    Ok(listed)
}

/// Deletes a catalog unless it was written again. Returns whether it did.
pub(super) fn delete_unchanged(share: &Share, object: &Listed) -> Result<bool, ShareError> {
    share.delete_unchanged(&key(&object.name), object)
}

/// Returns the part of a catalog's name that the folder of its repository's indexes has, too.
pub(super) fn folder_of(object: &Listed) -> &str {
    object.name.strip_suffix(EXTENSION).unwrap_or(&object.name)
}

fn folder() -> String {
    format!("knowing-catalogs/{CATALOG_VERSION}")
}

fn key(name: &str) -> String {
    format!("{}/{name}", folder())
}

fn object_name(repository: &str) -> String {
    format!("{}{EXTENSION}", Names::readable(repository))
}

fn is_catalog(bytes: &[u8]) -> bool {
    Catalog::from_bytes(bytes).is_ok()
}

/// Returns the name of a cached catalog, which differs for each version of its object.
fn file_name(object: &Listed) -> String {
    let version =
        blake3::hash(format!("{} {} {} {}", object.name, object.tag, object.size, object.modified).as_bytes());
    format!("{}{EXTENSION}", &version.to_hex()[..32])
}

/// Writes a file that other processes see as a whole or not at all.
fn write(file: &Path, bytes: &[u8]) -> Result<(), ShareError> {
    let folder = file.parent().unwrap_or(file);
    let written = std::fs::create_dir_all(folder).and_then(|()| atomic_file::replace(file, bytes, PRIVATE));
    written.map_err(|cause| io("write", file, cause))
}

fn cached_files(folder: &Path) -> Result<Vec<PathBuf>, ShareError> {
    let mut files: Vec<PathBuf> = match std::fs::read_dir(folder) {
        Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(cause) => return Err(io("read", folder, cause)),
    };
    files.retain(|file| file.to_string_lossy().ends_with(EXTENSION));
    files.sort();
    Ok(files)
}

/// Removes the cached catalogs that the share does not have any more.
fn remove_others(folder: &Path, current: &HashSet<PathBuf>) -> Result<(), ShareError> {
    let others = cached_files(folder)?.into_iter().filter(|file| !current.contains(file));
    for file in others {
        // Another process may have removed it.
        match std::fs::remove_file(&file) {
            Err(cause) if cause.kind() != std::io::ErrorKind::NotFound => return Err(io("remove", &file, cause)),
            _ => {}
        }
    }
    Ok(())
}
