//! The files that git tracks although an ignore rule matches them: `git add --force`, or a rule that is newer than the
//! file. Git's rules are for files that it does not track.

use std::path::Path;
use std::sync::OnceLock;

use super::repository::git_folder;
use crate::lang;

/// Maximum size of git's index, in bytes. Half a million files take about 50 MB.
const MAX_INDEX_BYTES: u64 = 128 << 20;

/// The source files and manifests in git's index, which is read when something ignored is found.
pub struct TrackedFiles<'a> {
    root: &'a Path,
    /// Paths relative to the root, in their order.
    paths: OnceLock<Vec<String>>,
}

impl<'a> TrackedFiles<'a> {
    /// Returns the tracked files of the checkout at `root`; none if that is not the root of a git repository.
    pub fn new(root: &'a Path) -> TrackedFiles<'a> {
        TrackedFiles { root, paths: OnceLock::new() }
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

    fn paths(&self) -> &[String] {
        self.paths.get_or_init(|| read(self.root).unwrap_or_default())
    }
}

/// Returns the paths in git's index; `None` if there is none or it can't be read. Then the ignore rules alone decide.
fn read(root: &Path) -> Option<Vec<String>> {
    let file = git_folder(root)?.join("index");
    if std::fs::metadata(&file).ok()?.len() > MAX_INDEX_BYTES {
        return None;
    }
    let index = git2::Index::open(&file).ok()?;
    let paths = index.iter().filter_map(|entry| String::from_utf8(entry.path).ok());
    let is_read = |path: &str| {
        let name = crate::text::file_name(path);
        lang::language_of(name).is_some() || lang::manifest::is_manifest(name)
    };
    let mut paths: Vec<String> = paths.filter(|path| is_read(path)).collect();
    paths.sort_unstable();
    Some(paths)
}
