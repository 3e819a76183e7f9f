//! Changed files and lines between a base commit and the working tree.

mod bases;
mod deleted;

pub use bases::{Base, bases};
pub use deleted::{DeletedFiles, deleted_files};

use std::collections::{BTreeSet, HashMap};
use std::fs::{self, Metadata};
use std::path::Path;

use git2::{Index, ObjectType, Odb, Oid, Patch, Repository, Tree};

use super::discover::discover;
use super::owners;
use super::read::{MAX_FILE_BYTES, read_inside};
use super::repository::{git_folder, has_special_files};

/// Maximum size of a git object that is read. A small packed object can decompress to gigabytes.
const MAX_OBJECT_BYTES: usize = 16 << 20;

/// The reason why the changes are unknown.
#[derive(Debug, thiserror::Error)]
pub enum ChangesError {
    #[error("{path} is not in a git repository")]
    NoGit { path: String },
    #[error("`{base}` is not a branch, tag or commit; `git branch -a` lists branches")]
    UnknownBase { base: String },
    #[error("{path} has a pipe, socket or device among its references or objects, which would block")]
    Special { path: String },
    #[error("cannot read the git repository: {0}")]
    Git(#[from] git2::Error),
}

/// A changed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedFile {
    /// Relative to the repository's root, with forward slashes.
    pub path: String,
    /// The changed ranges, in order. None for binary files.
    pub hunks: Vec<Hunk>,
}

/// A changed range of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hunk {
    /// The first line in the file's present state, from 1; of a pure deletion the line after it.
    pub start: u32,
    /// The number of lines in the present state; 0 for a pure deletion.
    pub lines: u32,
    /// The lines of the base that it replaces; none once [`MAX_REMOVED_BYTES`] are reached.
    pub removed: Vec<String>,
}

impl Hunk {
    /// Returns the first and the last line in the file's present state; for a pure deletion it is the line before.
    pub fn range(&self) -> (u32, u32) {
        match self.lines {
            0 => (self.start.saturating_sub(1), self.start.saturating_sub(1)),
            lines => (self.start, self.start + lines - 1),
        }
    }
}

impl ChangedFile {
    /// Returns the ranges of the hunks.
    pub fn ranges(&self) -> Vec<(u32, u32)> {
        self.hunks.iter().map(Hunk::range).collect()
    }
}

/// Limit of the removed lines of a comparison, in bytes.
const MAX_REMOVED_BYTES: usize = 8 << 20;

/// Returns the indexable files, sorted by path, that were added or changed since the working tree branched off `base`,
/// whether committed, staged or not. Untracked files are included, deleted and ignored ones are not. Nothing is
/// executed.
///
/// # Why not a diff of libgit2
///
/// It lists the whole base, and a few tree objects that contain each other many times have too many entries to
/// visit. It also opens every `.gitignore` and `.gitattributes`, which may be a pipe. Here only the files of the
/// working tree are looked up, each by its path.
///
/// # Errors
/// When there is no git repository, no such base, or git's files cannot be read.
pub fn changed_files(root: &Path, base: &str) -> Result<Vec<ChangedFile>, ChangesError> {
    let repository = open(root)?;
    let mut comparison = Comparison::new(&repository, root, branching_tree(&repository, base)?)?;
    let mut changed = Vec::new();
    for file in discover(root).files {
        if let Some(hunks) = comparison.hunks(&file.path)? {
            changed.push(ChangedFile { path: file.path, hunks });
        }
    }
    Ok(changed)
}

/// Returns the paths, sorted, of what an index is made of (files, manifests, code owners) and differs from the checked-out
/// commit. Untracked files are included, deleted and ignored ones are not.
///
/// # Errors
/// Those of [`changed_files`].
pub fn uncommitted_paths(root: &Path) -> Result<Vec<String>, ChangesError> {
    let repository = open(root)?;
    let mut comparison = Comparison::new(&repository, root, branching_tree(&repository, "HEAD")?)?;
    let discovery = discover(root);
    let files = discovery.files.into_iter().map(|file| file.path);
    let manifests = discovery.manifests.into_iter().map(|manifest| manifest.path);
    let paths: BTreeSet<String> = files.chain(manifests).chain(owners::LOCATIONS.map(str::to_owned)).collect();
    let mut changed = Vec::new();
    for path in paths {
        if comparison.hunks(&path)?.is_some() {
            changed.push(path);
        }
    }
    Ok(changed)
}

/// Returns the tree of the commit at which the working tree branched off `base`.
fn branching_tree(repository: &Repository, base: &str) -> Result<Oid, ChangesError> {
    let unknown = || ChangesError::UnknownBase { base: base.to_owned() };
    let object = repository.revparse_single(base).map_err(|_| unknown())?;
    let base_commit = object.peel_to_commit().map_err(|_| unknown())?.id();
    let head = repository.head().and_then(|head| head.peel_to_commit()).map(|commit| commit.id());
    // Without a common ancestor the comparison is with the base itself.
    let from = match head {
        Ok(head) => repository.merge_base(base_commit, head).unwrap_or(base_commit),
        Err(_) => base_commit,
    };
    Ok(repository.find_commit(from)?.tree_id())
}

/// The comparison of the files of a working tree with a commit's tree.
struct Comparison<'r> {
    repository: &'r Repository,
    root: &'r Path,
    objects: Odb<'r>,
    index: Index,
    /// Time of the last change of the index, in seconds: a file changed in the same second may have changed again.
    index_time: i64,
    /// Trees of the base by folder; `None` for a folder that it does not have.
    trees: HashMap<String, Option<Tree<'r>>>,
    /// The bytes of removed lines that are still kept.
    removed_bytes_left: usize,
}

/// The version of a file in the base.
enum Before {
    Missing,
    Blob(Oid),
    /// The path leads into another repository.
    Submodule,
}

impl<'r> Comparison<'r> {
    fn new(repository: &'r Repository, root: &'r Path, tree: Oid) -> Result<Comparison<'r>, git2::Error> {
        let index = repository.index()?;
        let changed = index.path().and_then(|path| fs::metadata(path).ok());
        let index_time = changed.map_or(0, |metadata| modified(&metadata).0);
        let (objects, trees) = (repository.odb()?, HashMap::new());
        let removed_bytes_left = MAX_REMOVED_BYTES;
        let mut comparison = Comparison { repository, root, objects, index, index_time, trees, removed_bytes_left };
        let tree = comparison.tree(tree)?;
        comparison.trees.insert(String::new(), tree);
        Ok(comparison)
    }

    /// Returns the changed ranges of a file; `None` if it is unchanged or can't be read.
    fn hunks(&mut self, path: &str) -> Result<Option<Vec<Hunk>>, git2::Error> {
        let before = match self.before(path)? {
            Before::Submodule => return Ok(None),
            Before::Missing => None,
            Before::Blob(id) if self.is_known_unchanged(path, id) => return Ok(None),
            Before::Blob(id) => Some(id),
        };
        let Ok(now) = read_inside(self.root, path, MAX_FILE_BYTES) else { return Ok(None) };
        let old = match before {
            Some(id) if Oid::hash_object(ObjectType::Blob, &now)? == id => return Ok(None),
            Some(id) if self.is_small(id) => self.repository.find_blob(id)?.content().to_vec(),
            Some(_) | None => Vec::new(),
        };
        // Git may have converted the ends of lines.
        let (old, now) = (with_line_feeds(old), with_line_feeds(now));
        if before.is_some() && old == now {
            return Ok(None);
        }
        let mut options = git2::DiffOptions::new();
        options.context_lines(0);
        let patch = Patch::from_buffers(&old, None, &now, None, Some(&mut options))?;
        let mut hunks = Vec::with_capacity(patch.num_hunks());
        for number in 0..patch.num_hunks() {
            let (hunk, _) = patch.hunk(number)?;
            // For a pure deletion git has the line before.
            let start = hunk.new_start() + u32::from(hunk.new_lines() == 0);
            let (lines, old_lines) = (hunk.new_lines(), hunk.old_lines() as usize);
            hunks.push(Hunk { start, lines, removed: self.removed(&patch, number, old_lines)? });
        }
        Ok(Some(hunks))
    }

    /// Returns the removed lines of a hunk, which come first in it.
    fn removed(&mut self, patch: &Patch<'_>, hunk: usize, lines: usize) -> Result<Vec<String>, git2::Error> {
        let mut removed = Vec::new();
        for number in 0..lines {
            let line = patch.line_in_hunk(hunk, number)?;
            let content = String::from_utf8_lossy(line.content());
            let Some(left) = self.removed_bytes_left.checked_sub(content.len()) else { return Ok(Vec::new()) };
            self.removed_bytes_left = left;
            removed.push(content.trim_end_matches('\n').to_owned());
        }
        Ok(removed)
    }

    /// Returns whether the index knows a file to be this blob, without reading it.
    fn is_known_unchanged(&self, path: &str, blob: Oid) -> bool {
        let Some(entry) = self.index.get_path(Path::new(path), 0) else { return false };
        let Ok(metadata) = fs::symlink_metadata(self.root.join(path)) else { return false };
        let (seconds, nanoseconds) = modified(&metadata);
        let (known, part) = (i64::from(entry.mtime.seconds()), entry.mtime.nanoseconds());
        entry.id == blob
            && u64::from(entry.file_size) == metadata.len()
            && known == seconds
            && (part == nanoseconds || part == 0)
            && known < self.index_time
    }

    /// Looks up a file in the base.
    fn before(&mut self, path: &str) -> Result<Before, git2::Error> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let mut known = 0;
        // The trees of the folders above, outermost first.
        for end in folder.match_indices('/').map(|(end, _)| end).chain([folder.len()]) {
            let part = &folder[..end];
            if !self.trees.contains_key(part) {
                let name = part[known..].trim_start_matches('/');
                let outer = self.trees.get(part[..known].trim_end_matches('/')).and_then(Option::as_ref);
                let entry = outer.and_then(|tree| tree.get_name(name).map(|entry| (entry.id(), entry.kind())));
                let tree = match entry {
                    Some((id, Some(ObjectType::Tree))) => self.tree(id)?,
                    Some((_, Some(ObjectType::Commit))) => return Ok(Before::Submodule),
                    _ => None,
                };
                self.trees.insert(part.to_owned(), tree);
            }
            known = end;
        }
        let tree = self.trees.get(folder).and_then(Option::as_ref);
        let entry = tree.and_then(|tree| tree.get_name(name).map(|entry| (entry.id(), entry.kind())));
        Ok(match entry {
            Some((id, Some(ObjectType::Blob))) => Before::Blob(id),
            Some((_, Some(ObjectType::Commit))) => Before::Submodule,
            _ => Before::Missing,
        })
    }

    /// Reads a tree; `None` if it is too large.
    fn tree(&self, id: Oid) -> Result<Option<Tree<'r>>, git2::Error> {
        if self.is_small(id) { self.repository.find_tree(id).map(Some) } else { Ok(None) }
    }

    fn is_small(&self, id: Oid) -> bool {
        self.objects.read_header(id).is_ok_and(|(bytes, _)| bytes <= MAX_OBJECT_BYTES)
    }
}

/// Returns a text with `\n` in place of each `\r\n`.
fn with_line_feeds(mut text: Vec<u8>) -> Vec<u8> {
    if text.contains(&b'\r') {
        let is_converted = |at: usize| text[at] == b'\r' && text.get(at + 1) == Some(&b'\n');
        text = (0..text.len()).filter(|at| !is_converted(*at)).map(|at| text[at]).collect();
    }
    text
}

/// Returns the time of a file's modification since 1970, in seconds and nanoseconds.
fn modified(metadata: &Metadata) -> (i64, u32) {
    let since = metadata.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    since.map_or((0, 0), |time| (time.as_secs() as i64, time.subsec_nanos()))
}

fn open(root: &Path) -> Result<Repository, ChangesError> {
    let no_git = || ChangesError::NoGit { path: root.display().to_string() };
    let folder = git_folder(root).ok_or_else(no_git)?;
    if has_special_files(&folder) {
        return Err(ChangesError::Special { path: folder.display().to_string() });
    }
    Repository::open(root).map_err(|error| match error.code() {
        git2::ErrorCode::NotFound => no_git(),
        _ => ChangesError::Git(error),
    })
}

#[cfg(test)]
mod tests;
