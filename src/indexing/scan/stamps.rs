//! The stamps (sizes and times of change) of files and folders, and a hash of what a walk depends on besides them.

use std::fs::Metadata;
use std::path::Path;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::repository::git_folder;
use super::{ignored, owners, settings};
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

/// Returns a time in nanoseconds.
#[cfg(unix)]
pub(super) fn time_ns(seconds: i64, nanoseconds: i64) -> i64 {
    seconds.saturating_mul(1_000_000_000).saturating_add(nanoseconds)
}

#[cfg(not(unix))]
fn last_change_ns(metadata: &Metadata) -> i64 {
    let modified = metadata.modified().ok();
    let elapsed = modified.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    elapsed.map_or(0, |time| i64::try_from(time.as_nanos()).unwrap_or(i64::MAX))
}
