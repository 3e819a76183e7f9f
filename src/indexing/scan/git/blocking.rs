//! Examines the files of a repository before a library opens them: a pipe or device would block it for ever.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use gix::bstr::ByteSlice;

use super::GitError;
use crate::scan::read::read_small;

/// Maximum number of entries that are examined.
pub(super) const MAX_EXAMINED: usize = 200_000;
/// Maximum size of a pointer file (`commondir` of a worktree).
const MAX_POINTER_BYTES: u64 = 4_096;
/// Maximum size of a configuration, and of a list of folders with objects.
const MAX_TEXT_BYTES: u64 = 1 << 20;
/// The socket of git's own file system monitor, which is not opened.
const MONITOR: &str = "fsmonitor--daemon.ipc";
/// The folders of which every file can be opened.
const FOLDERS: [&str; 5] = ["logs", "objects", "refs", "reftable", "worktrees"];

/// Checks that none of the files that reading a repository can open is a pipe, socket or device: `HEAD`, the
/// configuration, the index and its shared part, references, logs, objects, packs, and those of the folders from which
/// it borrows objects. Links are followed, as git does.
pub(super) fn examine(git_folder: &Path) -> Result<(), GitError> {
    let common = common_folder(git_folder);
    let mut examination = Examination { left: MAX_EXAMINED, seen: HashSet::new() };
    for folder in [git_folder, &common] {
        examination.folder(folder, false)?;
        for name in FOLDERS {
            examination.folder(&folder.join(name), true)?;
        }
    }
    let mut borrowed = vec![common.join("objects")];
    while let Some(objects) = borrowed.pop() {
        let Some(text) = read_linked(&objects.join("info/alternates")) else { continue };
        for other in text.lines().filter_map(alternate) {
            let other = objects.join(other);
            if examination.folder(&other, true)? {
                borrowed.push(other);
            }
        }
    }
    Ok(())
}

/// Returns the folder that a line of a list of alternates names, which can be quoted.
fn alternate(line: &[u8]) -> Option<PathBuf> {
    let path = match line.first()? {
        b'#' => return None,
        b'"' => gix::quote::ansi_c::undo(line.as_bstr()).ok()?.0,
        _ => line.as_bstr().into(),
    };
    Some(path.to_path().ok()?.to_owned())
}

struct Examination {
    left: usize,
    /// The examined folders, and whether those in them were, too.
    seen: HashSet<(PathBuf, bool)>,
}

impl Examination {
    /// Examines a folder, or with `is_deep` also those in it. Returns whether it exists and was not examined before.
    fn folder(&mut self, folder: &Path, is_deep: bool) -> Result<bool, GitError> {
        let Ok(start) = fs::canonicalize(folder) else { return Ok(false) };
        if !self.seen.insert((start.clone(), is_deep)) {
            return Ok(false);
        }
        let mut folders = vec![start];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let Some(left) = self.left.checked_sub(1) else {
                    return Err(GitError::TooMany { path: folder.display().to_string() });
                };
                self.left = left;
                let Ok(kind) = entry.file_type() else { continue };
                if kind.is_file() {
                    continue;
                }
                // A link to nothing can't be opened.
                let Ok(metadata) = fs::metadata(entry.path()) else { continue };
                if metadata.is_dir() {
                    folders.extend(is_deep.then(|| self.inner(&entry.path(), kind.is_symlink())).flatten());
                } else if !metadata.is_file() && entry.file_name() != MONITOR {
                    return Err(GitError::Special { path: entry.path().display().to_string() });
                }
            }
        }
        Ok(true)
    }

    /// Returns the folder at `path` unless it is a link to one that was examined before.
    fn inner(&mut self, path: &Path, is_link: bool) -> Option<PathBuf> {
        if !is_link {
            return Some(path.to_owned());
        }
        let target = fs::canonicalize(path).ok()?;
        self.seen.insert((target.clone(), true)).then_some(target)
    }
}

/// Reads a small regular file, also through a link.
fn read_linked(path: &Path) -> Option<Vec<u8>> {
    if !fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(MAX_TEXT_BYTES + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= MAX_TEXT_BYTES).then_some(bytes)
}

/// Returns the folder that worktrees share, which has the configuration.
pub(in crate::scan) fn common_folder(git_folder: &Path) -> PathBuf {
    let pointer = read_small(&git_folder.join("commondir"), MAX_POINTER_BYTES).ok();
    let text = pointer.and_then(|bytes| String::from_utf8(bytes).ok());
    text.map_or_else(|| git_folder.to_path_buf(), |text| git_folder.join(text.trim()))
}

/// Returns the repository's own configuration, without what it includes.
///
/// # Errors
/// When it can't be read. A repository without one is as git makes it.
pub(in crate::scan) fn configuration(git_folder: &Path) -> Result<gix::config::File, GitError> {
    let path = common_folder(git_folder).join("config");
    let source = gix::config::file::Metadata::api();
    let failed = || GitError::Unreadable { path: path.display().to_string() };
    match fs::metadata(&path) {
        Err(_) => Ok(gix::config::File::new(source)),
        Ok(_) => {
            let bytes = read_linked(&path).ok_or_else(failed)?;
            gix::config::File::from_bytes_no_includes(&bytes, source, Default::default()).map_err(|_| failed())
        }
    }
}
