//! The files that git tracks although an ignore rule matches them: `git add --force`, or a rule that is newer than the
//! file. Git's rules are for files that it does not track.

use std::cell::OnceCell;
use std::path::Path;
use std::sync::OnceLock;

use super::git::{Git, INDEX, index, open};
use super::repository::git_folder;
use super::stamps::Stamp;
use crate::lang;

/// Maximum size of git's index, in bytes. Half a million files take about 50 MB.
const MAX_INDEX_BYTES: u64 = 128 << 20;
/// Limit of the entries of trees that are read for the folders that the index has only as a whole.
const MAX_ENTRIES: usize = 500_000;

/// The source files and manifests in git's index, which is read when something ignored is found.
pub struct TrackedFiles<'a> {
    root: &'a Path,
    /// The stamp of the index, and paths relative to the root, in their order.
    read: OnceLock<(Option<Stamp>, Vec<String>)>,
}

impl<'a> TrackedFiles<'a> {
    /// Returns the tracked files of the checkout at `root`; none if that is not the root of a git repository.
    pub fn new(root: &'a Path) -> TrackedFiles<'a> {
        TrackedFiles { root, read: OnceLock::new() }
    }

    /// Returns whether a file is tracked.
    pub fn has_file(&self, path: &str) -> bool {
        self.paths().binary_search_by(|other| other.as_str().cmp(path)).is_ok()
    }

    /// Returns whether a file in a folder is tracked. The folder ends with a slash.
    pub fn has_folder(&self, folder: &str) -> bool {
        let first = self.paths().partition_point(|path| path.as_str() < folder);
        self.paths().get(first).is_some_and(|path| path.starts_with(folder))
    }

    /// Returns the number of source files that are tracked and not in the working tree.
    pub fn missing_sources(&self) -> u64 {
        let is_missing = |path: &&String| {
            lang::language_of(path).is_some() && std::fs::symlink_metadata(self.root.join(path)).is_err()
        };
        self.paths().iter().filter(is_missing).count() as u64
    }

    /// Returns the stamp that the index had when it was read; `None` if it was not.
    pub(super) fn stamp(&self) -> Option<Option<Stamp>> {
        self.read.get().map(|(stamp, _)| *stamp)
    }

    fn paths(&self) -> &[String] {
        let read = || (index_stamp(self.root), read(self.root).unwrap_or_default());
        &self.read.get_or_init(read).1
    }
}

/// Returns the stamp of git's index.
pub(super) fn index_stamp(root: &Path) -> Option<Stamp> {
    Stamp::of(&git_folder(root)?.join(INDEX))
}

/// Returns the paths in git's index; `None` if there is none or it can't be read. Then the ignore rules alone decide.
fn read(root: &Path) -> Option<Vec<String>> {
    let path = git_folder(root)?.join(INDEX);
    if std::fs::metadata(path).ok()?.len() > MAX_INDEX_BYTES {
        return None;
    }
    let index = index(root)?;
    let git = OnceCell::new();
    let mut paths = Vec::new();
    let mut left = MAX_ENTRIES;
    for entry in index.entries() {
        let Ok(path) = std::str::from_utf8(entry.path(&index)) else { continue };
        if entry.mode.is_sparse() {
            // A folder outside a sparse checkout, of which the index has only the tree. Mostly there is none.
            let git = || git.get_or_init(|| open(root).ok().flatten()).as_ref();
            if let Some(git) = root.join(path).is_dir().then(git).flatten() {
                add_folder(git, path, entry.id, &mut left, &mut paths);
            }
        } else if is_read(path) {
            paths.push(path.to_owned());
        }
    }
    paths.sort_unstable();
    Some(paths)
}

/// Adds the files of a tree. The folder ends with a slash.
fn add_folder(git: &Git, folder: &str, tree: gix::ObjectId, left: &mut usize, paths: &mut Vec<String>) {
    let mut folders = vec![(folder.to_owned(), tree)];
    while let Some((folder, tree)) = folders.pop() {
        // What is not in a partial clone can't be listed.
        let Ok(Some(tree)) = git.tree(tree) else { continue };
        for entry in tree.iter().flatten() {
            let Some(rest) = left.checked_sub(1) else { return };
            *left = rest;
            let Ok(name) = std::str::from_utf8(entry.filename()) else { continue };
            if entry.mode().is_tree() {
                folders.push((format!("{folder}{name}/"), entry.object_id()));
            } else if is_read(name) {
                paths.push(format!("{folder}{name}"));
            }
        }
    }
}

fn is_read(path: &str) -> bool {
    let name = crate::text::file_name(path);
    lang::language_of(name).is_some() || lang::manifest::is_manifest(name)
}
