//! The stamps (sizes and times of change) of the files and folders that a walk looked at. If none differs, another walk would
//! find the same, and is not needed.
//!
//! The time of a folder changes when an entry is created, deleted or renamed. What a walk depends on besides, such as settings,
//! is hashed by [`surroundings`]. Git keeps its [untracked cache](https://git-scm.com/docs/git-update-index#_untracked_cache) by
//! the same property of file systems. A few network file systems lack it: there an entry that another machine makes can be
//! seen late.

use std::fs::Metadata;
#[cfg(unix)]
use std::os::fd::OwnedFd;
use std::path::Path;
#[cfg(not(unix))]
use std::path::PathBuf;
use std::sync::OnceLock;

use rayon::prelude::*;
#[cfg(unix)]
use rustix::fs::{AtFlags, Mode, OFlags};
use serde::{Deserialize, Serialize};

use super::discover::{Discovery, RACY_NS};
use super::repository::git_folder;
use super::skip::SkipReason;
use super::{ignored, owners, settings, tracked};
use crate::lang::own;

/// Size and time of a file or folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// Bytes.
    pub size: u64,
    /// Time of the last change, in nanoseconds since 1970: the later of modification and, on Unix, status change, so that
    /// a file replaced under an old date counts as changed.
    pub time_ns: i64,
}

impl Stamp {
    /// Returns the stamp of the file, folder or link at a path; `None` if there is nothing, or it can't be read.
    pub fn of(path: &Path) -> Option<Stamp> {
        std::fs::symlink_metadata(path).ok().map(|metadata| Stamp::new(&metadata))
    }

    /// Returns the stamp of the regular file at a path, without opening it; `None` if there is none.
    pub fn of_file(path: &Path) -> Option<Stamp> {
        let metadata = std::fs::symlink_metadata(path).ok().filter(Metadata::is_file)?;
        Some(Stamp::new(&metadata))
    }

    /// Returns the stamp of what has this metadata.
    pub fn new(metadata: &Metadata) -> Stamp {
        Stamp { size: metadata.len(), time_ns: last_change_ns(metadata) }
    }
}

/// The stamps of what a walk looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckoutStamps {
    folders: Vec<FolderStamps>,
    /// `None` if the walk did not read git's index, `Some(None)` if there was no index.
    git_index: Option<Option<Stamp>>,
}

/// The stamps of what a walk looked at in one folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct FolderStamps {
    /// Relative to the root, with a slash at its end; the root's is empty.
    path: String,
    /// By the name of the entry; the stamp of the folder itself has the empty name.
    entries: Vec<(String, Option<Stamp>)>,
}

impl CheckoutStamps {
    /// Returns the stamps of a walk that began at `started_ns`. `None` where they don't tell that another walk would find
    /// the same: something changed within the clock's resolution, was unreadable, or is the worktree of another repository.
    pub fn of(discovery: &Discovery, started_ns: i64) -> Option<CheckoutStamps> {
        if discovery.has_worktrees || discovery.skips.iter().any(|skip| skip.reason == SkipReason::Unreadable) {
            return None;
        }
        let files = discovery.files.iter().map(|file| (file.path.as_str(), file.size, file.mtime_ns));
        let documents =
            discovery.documents.iter().map(|document| (document.path.as_str(), document.size, document.mtime_ns));
        let listed = files.chain(documents).map(|(path, size, time_ns)| (path, Some(Stamp { size, time_ns })));
        let looked_at = discovery.looked_at.iter().map(|(path, stamp)| (path.as_str(), *stamp));
        let mut stamps: Vec<((&str, &str), Option<Stamp>)> =
            listed.chain(looked_at).map(|(path, stamp)| (split(path), stamp)).collect();
        stamps.sort_unstable_by_key(|(place, _)| *place);
        stamps.dedup();
        let mut times = stamps.iter().map(|(_, stamp)| *stamp).chain(discovery.git_index).flatten();
        if times.any(|Stamp { time_ns, .. }| time_ns.saturating_add(resolution_of(time_ns)) >= started_ns) {
            return None;
        }
        let folders = stamps.chunk_by(|((one, _), _), ((two, _), _)| one == two).map(|entries| FolderStamps {
            path: entries[0].0.0.to_owned(),
            entries: entries.iter().map(|((_, name), stamp)| ((*name).to_owned(), *stamp)).collect(),
        });
        Some(CheckoutStamps { folders: folders.collect(), git_index: discovery.git_index })
    }

    /// Returns whether everything in the checkout at `root` has these stamps.
    pub fn hold(&self, root: &Path) -> bool {
        self.git_index.is_none_or(|stamp| tracked::index_stamp(root) == stamp)
            && self.folders.par_iter().all(|folder| folder.hold(root))
    }
}

impl FolderStamps {
    fn hold(&self, root: &Path) -> bool {
        let path = root.join(self.path.trim_end_matches('/'));
        let folder = OpenFolder::new(&path);
        self.entries.iter().all(|(name, stamp)| {
            // Joining an empty name would add a slash, which follows a link.
            let found = if name.is_empty() { Stamp::of(&path) } else { folder.stamp(name) };
            found == *stamp
        })
    }
}

/// A folder whose entries are looked up by name: the whole path of each takes the system a quarter longer.
#[cfg(unix)]
struct OpenFolder(Option<OwnedFd>);

#[cfg(unix)]
impl OpenFolder {
    fn new(path: &Path) -> OpenFolder {
        #[cfg(target_os = "linux")]
        let access = OFlags::PATH;
        #[cfg(not(target_os = "linux"))]
        let access = OFlags::RDONLY;
        OpenFolder(rustix::fs::open(path, access | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()).ok())
    }

    /// Returns the stamp of an entry; `None` if there is none, or it can't be read.
    fn stamp(&self, name: &str) -> Option<Stamp> {
        let stat = rustix::fs::statat(self.0.as_ref()?, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        let modified = time_ns(stat.st_mtime as i64, stat.st_mtime_nsec as i64);
        let status = time_ns(stat.st_ctime as i64, stat.st_ctime_nsec as i64);
        Some(Stamp { size: stat.st_size as u64, time_ns: modified.max(status) })
    }
}

#[cfg(not(unix))]
struct OpenFolder(PathBuf);

#[cfg(not(unix))]
impl OpenFolder {
    fn new(path: &Path) -> OpenFolder {
        OpenFolder(path.to_owned())
    }

    fn stamp(&self, name: &str) -> Option<Stamp> {
        Stamp::of(&self.0.join(name))
    }
}

/// Returns the resolution of the clock that gave a time, in nanoseconds. Some file systems have seconds, or two.
fn resolution_of(time_ns: i64) -> i64 {
    if time_ns % 1_000_000_000 == 0 { 2_000_000_000 } else { RACY_NS }
}

/// Splits a path into its folder, which ends with a slash or is empty, and the name in it, which is empty for a folder.
fn split(path: &str) -> (&str, &str) {
    path.split_at(path.rfind('/').map_or(0, |slash| slash + 1))
}

/// Returns a hash of what a walk of the checkout at `root` depends on besides its files and folders: its path, this program,
/// the settings, git's rules for the whole checkout, and CODEOWNERS.
pub fn surroundings(root: &Path) -> String {
    let git_folder = git_folder(root);
    let rules = git_folder.as_deref().map(ignored::checkout_texts).unwrap_or_default();
    let mut hash = blake3::Hasher::new();
    let mut add = |bytes: &[u8]| {
        hash.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
    };
    add(format!("{root:?} {git_folder:?} {:?} {:?}", program(), settings::texts(root)).as_bytes());
    add(format!("{} {:?}", own::versions(own::languages()), own::problems()).as_bytes());
    add(&owners::text(root).unwrap_or_default());
    for text in rules {
        add(text.as_deref().unwrap_or_else(|reason| reason.name().as_bytes()));
    }
    hash.finalize().to_hex().to_string()
}

/// Returns the stamp of this program's file, as it was at the first call: another build may read other files.
fn program() -> Option<Stamp> {
    static PROGRAM: OnceLock<Option<Stamp>> = OnceLock::new();
    *PROGRAM.get_or_init(|| std::env::current_exe().ok().and_then(|path| Stamp::of(&path.canonicalize().ok()?)))
}

/// Returns whether a file may be executed.
#[cfg(unix)]
pub(super) fn is_executable(metadata: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
pub(super) fn is_executable(_metadata: &Metadata) -> bool {
    true
}

#[cfg(unix)]
fn last_change_ns(metadata: &Metadata) -> i64 {
    use std::os::unix::fs::MetadataExt;
    time_ns(metadata.mtime(), metadata.mtime_nsec()).max(time_ns(metadata.ctime(), metadata.ctime_nsec()))
}

#[cfg(unix)]
fn time_ns(seconds: i64, nanoseconds: i64) -> i64 {
    seconds.saturating_mul(1_000_000_000).saturating_add(nanoseconds)
}

#[cfg(not(unix))]
fn last_change_ns(metadata: &Metadata) -> i64 {
    let modified = metadata.modified().ok();
    let elapsed = modified.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    elapsed.map_or(0, |time| i64::try_from(time.as_nanos()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests;
