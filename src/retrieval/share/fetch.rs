//! Fetches the published index that is nearest to the checked-out commit.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::error::ShareError;
use super::manifest::{CommitKey, MAX_MANIFEST_BYTES, Manifest, Names};
use super::publish::io;
use super::remote::Share;
use crate::atomic_file;
use crate::file_lock;
use crate::model::CommitId;
use crate::scan::Repository;
use crate::scan::history::{Tip, ancestors, nearest_ancestor, tip};
use crate::scan::read::open_regular;
use crate::store::{check_copy, sibling_path};

/// Number of bytes per request.
const CHUNK_BYTES: u64 = 8 << 20;
/// Maximum number of published indexes that are tried when one is damaged.
const MAX_ATTEMPTS: usize = 3;
/// Number of commits whose index is looked for on a web server, one request each.
const MAX_PROBES: usize = 64;

/// The relation of a fetched index to the checkout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The index of a commit with the same files.
    SameTree,
    /// The index of an ancestor, this many commits behind.
    Ancestor(usize),
    /// The last published index of the repository, since none of an ancestor was found.
    Other,
}

/// A fetched and checked index, which is not yet that of the checkout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// The database file, to be passed to [`index`](crate::index::index).
    pub copy: PathBuf,
    /// The commit that was indexed, in hexadecimal.
    pub commit: String,
    pub origin: Origin,
    pub compressed_bytes: u64,
    /// Problems of other published indexes.
    pub notes: Vec<String>,
}

/// Fetches an index of `repository` into a file beside `database`. Returns `None` if the share has none. `progress` is
/// called with the bytes loaded and their total.
///
/// An interrupted download is continued by the next call.
///
/// # Errors
/// When the share or the folder of the database can't be used, or every published index that was tried is damaged.
pub fn fetch(
    share: &Share,
    repository: &Repository,
    database: &Path,
    progress: &dyn Fn(u64, u64),
) -> Result<Option<Fetched>, ShareError> {
    let names = Names::new(&repository.id);
    let mut published = published(share, &names, &repository.root)?;
    let mut notes = Vec::new();
    for attempt in 1.. {
        // Without a remote, an index with another history can be of another repository whose folder has the same name.
        let is_own = |origin: Origin| origin != Origin::Other || repository.has_remote();
        let nearest = nearest(&repository.root, &published)?.filter(|(_, origin)| is_own(*origin));
        let Some((key, origin)) = nearest else { return Ok(None) };
        match fetch_one(share, &names, &key, repository, database, progress) {
            Ok((copy, manifest)) => {
                let (commit, compressed_bytes) = (hex::encode(key.commit), manifest.compressed_bytes);
                return Ok(Some(Fetched { copy, commit, origin, compressed_bytes, notes }));
            }
            Err(error @ ShareError::Damaged { .. }) if attempt < MAX_ATTEMPTS && published.len() > 1 => {
                notes.push(error.to_string());
                published.retain(|other| *other != key);
            }
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// Returns the published indexes of a repository, the newest last. Those of a web server, which lists nothing, are looked
/// for by the names of the last commits; the nearest is enough.
fn published(share: &Share, names: &Names, root: &Path) -> Result<Vec<CommitKey>, ShareError> {
    if share.is_listed() {
        let mut listed = share.list(&names.manifests())?;
        listed.sort_by(|one, two| (one.modified, &one.name).cmp(&(two.modified, &two.name)));
        return Ok(listed.iter().filter_map(|object| CommitKey::from_file_name(&object.name)).collect());
    }
    for Tip { commit, tree } in ancestors(root, MAX_PROBES)? {
        let key = CommitKey { tree, commit };
        if share.size(&names.manifest(&key))?.is_some() {
            return Ok(vec![key]);
        }
    }
    Ok(Vec::new())
}

/// Selects the published index that needs the fewest changes: of the same tree, of the nearest ancestor, or the one
/// published last.
fn nearest(root: &Path, published: &[CommitKey]) -> Result<Option<(CommitKey, Origin)>, ShareError> {
    let tip = tip(root)?;
    if let Some(same) = published.iter().find(|key| tip.is_some_and(|tip| tip.tree == key.tree)) {
        return Ok(Some((*same, Origin::SameTree)));
    }
    let by_commit: HashMap<CommitId, CommitKey> = published.iter().map(|key| (key.commit, *key)).collect();
    let ancestor = nearest_ancestor(root, &by_commit.keys().copied().collect())?;
    if let Some((commit, distance)) = ancestor {
        return Ok(by_commit.get(&commit).map(|key| (*key, Origin::Ancestor(distance))));
    }
    Ok(published.last().map(|key| (*key, Origin::Other)))
}

/// Fetches and checks one published index.
///
/// # Errors
/// [`ShareError::Damaged`] when it is not one that can be used; otherwise those of [`fetch`].
pub(super) fn fetch_one(
    share: &Share,
    names: &Names,
    key: &CommitKey,
    repository: &Repository,
    database: &Path,
    progress: &dyn Fn(u64, u64),
) -> Result<(PathBuf, Manifest), ShareError> {
    let commit = &hex::encode(key.commit)[..12];
    let manifest = Manifest::from_bytes(&share.read_whole(&names.manifest(key), MAX_MANIFEST_BYTES)?)
        .filter(|manifest| manifest.is_of(&repository.id, key))
        .ok_or_else(|| share.damaged(format!("the manifest of {commit} is not as it was published")))?;
    let object = names.object(&manifest.object);
    if share.size(&object)? != Some(manifest.compressed_bytes) {
        return Err(share.damaged(format!("the index of {commit} is incomplete")));
    }
    let packed = sibling_path(database, "fetch");
    let copy = sibling_path(database, "fetched");
    let folder = atomic_file::folder(&packed);
    let free = free_bytes(folder).map_err(|cause| io("read", folder, cause))?;
    require_space(share, commit, &manifest, &packed, free)?;
    let mut file = open_part(&packed)?;
    let unpacked = download(share, &object, &manifest, &mut file, &packed, progress)
        .and_then(|()| unpack(share, &mut file, &packed, &copy, &manifest));
    // Only a download that the share interrupted is continued.
    let is_interrupted =
        matches!(unpacked, Err(ShareError::Access { .. } | ShareError::Known { .. } | ShareError::Refused { .. }));
    if !is_interrupted {
        std::fs::remove_file(&packed).map_err(|cause| io("remove", &packed, cause))?;
    }
    let checked = unpacked.and_then(|()| match check_copy(&copy) {
        None => Ok(()),
        Some(problem) => Err(share.damaged(format!("the index of {commit}: {problem}"))),
    });
    if checked.is_err() && copy.exists() {
        std::fs::remove_file(&copy).map_err(|cause| io("remove", &copy, cause))?;
    }
    checked.map(|()| (copy, manifest))
}

/// Checks that the missing part of a download and the database fit into the free space.
fn require_space(share: &Share, commit: &str, manifest: &Manifest, packed: &Path, free: u64) -> Result<(), ShareError> {
    let loaded = std::fs::symlink_metadata(packed).map_or(0, |metadata| metadata.len());
    let needed = manifest.bytes + manifest.compressed_bytes.saturating_sub(loaded);
    if needed <= free {
        return Ok(());
    }
    let folder = atomic_file::folder(packed).to_owned();
    let (url, commit) = (share.url().to_owned(), commit.to_owned());
    Err(ShareError::Space { url, commit, folder, needed, free })
}

/// Returns the space that a user has in the file system of a folder.
#[cfg(unix)]
fn free_bytes(folder: &Path) -> std::io::Result<u64> {
    let system = rustix::fs::statvfs(folder)?;
    Ok(system.f_bavail.saturating_mul(system.f_frsize))
}

#[cfg(not(unix))]
fn free_bytes(_folder: &Path) -> std::io::Result<u64> {
    Ok(u64::MAX)
}

/// Opens the file of a download, which only one process may write. What an interrupted one left is continued.
fn open_part(path: &Path) -> Result<File, ShareError> {
    let file = open_regular(path, OpenOptions::new().create(true).truncate(false).read(true).write(true))
        .map_err(|cause| io("open", path, cause))?;
    if !file_lock::lock(&file, Duration::ZERO) {
        let cause = std::io::Error::new(std::io::ErrorKind::ResourceBusy, "another process is fetching");
        return Err(io("write", path, cause));
    }
    Ok(file)
}

/// Loads the missing bytes of an object, and compares all with its hash. Bytes of an earlier download that do not match
/// are loaded again.
fn download(
    share: &Share,
    object: &str,
    manifest: &Manifest,
    file: &mut File,
    path: &Path,
    progress: &dyn Fn(u64, u64),
) -> Result<(), ShareError> {
    let failed = |cause| io("write", path, cause);
    let total = manifest.compressed_bytes;
    let mut start = file.metadata().map_err(failed)?.len().min(total);
    loop {
        let first = start;
        file.set_len(start).map_err(failed)?;
        file.seek(SeekFrom::Start(start)).map_err(failed)?;
        while start < total {
            let chunk = share.read(object, start..total.min(start + CHUNK_BYTES))?;
            if chunk.is_empty() {
                return Err(share.damaged(format!("{object} ends after {start} of {total} bytes")));
            }
            file.write_all(&chunk).map_err(failed)?;
            start += chunk.len() as u64;
            progress(start, total);
        }
        if hash_of(file).map_err(failed)? == manifest.object {
            return Ok(());
        }
        if first == 0 {
            return Err(share.damaged(format!("{object} has other bytes than its name says")));
        }
        start = 0;
    }
}

fn hash_of(file: &mut File) -> std::io::Result<String> {
    file.seek(SeekFrom::Start(0))?;
    let mut hasher = blake3::Hasher::new();
    std::io::copy(file, &mut hasher)?;
    Ok(hasher.finalize().to_hex().to_string())
}

/// Decompresses a download into a new file, up to the size that its manifest states.
fn unpack(share: &Share, packed: &mut File, path: &Path, copy: &Path, manifest: &Manifest) -> Result<(), ShareError> {
    packed.seek(SeekFrom::Start(0)).map_err(|cause| io("read", path, cause))?;
    if std::fs::symlink_metadata(copy).is_ok() {
        std::fs::remove_file(copy).map_err(|cause| io("remove", copy, cause))?;
    }
    let failed = |cause| io("write", copy, cause);
    let mut target = OpenOptions::new().create_new(true).write(true).open(copy).map_err(failed)?;
    let damaged = || share.damaged(format!("the object {} can't be decompressed", manifest.object));
    let mut plain = zstd::stream::Decoder::new(packed).map_err(|_| damaged())?.take(manifest.bytes + 1);
    let mut buffer = vec![0; 1 << 16];
    let mut written = 0;
    loop {
        let count = plain.read(&mut buffer).map_err(|_| damaged())?;
        if count == 0 {
            break;
        }
        target.write_all(&buffer[..count]).map_err(failed)?;
        written += count as u64;
    }
    if written == manifest.bytes { Ok(()) } else { Err(damaged()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_that_does_not_fit_is_refused_with_both_sizes() {
        let folder = tempfile::tempdir().unwrap();
        let share = Share::open(folder.path().to_str().unwrap()).unwrap();
        let packed = folder.path().join("graph.db-fetch");
        let manifest = Manifest { bytes: 3_000_000, compressed_bytes: 1_000_000, ..Manifest::default() };
        let require = |free| require_space(&share, "0123", &manifest, &packed, free).map_err(|error| error.to_string());
        assert_eq!(require(4_000_000), Ok(()));
        let message = require(3_999_999).unwrap_err();
        assert!(message.contains("4.0 MB") && message.contains(folder.path().to_str().unwrap()), "{message}");
        // What is loaded already takes no more space.
        std::fs::write(&packed, vec![0; 600_000]).unwrap();
        assert_eq!(require(3_400_000), Ok(()));
        assert!(require(3_399_999).is_err());
        assert!(free_bytes(folder.path()).unwrap() > 0);
    }
}
