//! Changed files and lines between a base commit and the working tree.

mod bases;
mod commit;
mod deleted;
mod paths;
mod renames;

pub use bases::{Base, bases};
pub use commit::changes_of_commit;
pub use deleted::DeletedFile;
pub use paths::{changed_among, changed_paths};

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, Metadata};
use std::path::Path;

use gix::bstr::ByteSlice;
use gix::objs::tree::EntryMode;
use gix::{ObjectId, Tree};

use super::decode::decode;
use super::diff::{self, Change};
use super::discover::discover;
use super::git::{self, Git, GitError, MAX_OBJECT_BYTES};
use super::history::HistoryError;
use super::owners;
use super::read::{MAX_FILE_BYTES, read_inside};
use super::repository::{broken_pointer, is_bare};
use crate::text::display::excerpt;

/// The reason why the changes are unknown.
#[derive(Debug, thiserror::Error)]
pub enum ChangesError {
    #[error("{path} is not in a git repository")]
    NoGit { path: String },
    #[error("`{}` is not a branch, tag, commit or range of them; {advice}", excerpt(base))]
    UnknownBase { base: String, advice: &'static str },
    #[error("{file} points to {target}, which does not exist; `git worktree repair` connects a moved worktree")]
    Gone { file: String, target: String },
    #[error("{path} is a bare repository: it has no files that could differ from a commit")]
    Bare { path: String },
    #[error("{path} has no commit yet, so there is nothing to compare with")]
    NoCommit { path: String },
    #[error("cannot read the git repository: {0}")]
    Git(GitError),
    #[error(transparent)]
    History(#[from] HistoryError),
}

impl From<GitError> for ChangesError {
    /// Wraps an error without naming it as the source, which would print it twice.
    fn from(error: GitError) -> ChangesError {
        ChangesError::Git(error)
    }
}

/// A changed file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChangedFile {
    /// Relative to the repository's root, with forward slashes.
    pub path: String,
    /// Its path in the base, if it was renamed.
    pub renamed_from: Option<String>,
    /// The changed ranges, in order. None for binary files, and for one that was only renamed.
    pub hunks: Vec<Hunk>,
    /// Whether it has the marks of a merge that is not finished.
    pub has_conflicts: bool,
}

/// The differences between a base and the working tree.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Difference {
    /// Sorted by path.
    pub changed: Vec<ChangedFile>,
    /// Sorted by path; without those that were renamed.
    pub deleted: Vec<DeletedFile>,
    /// Whether the base has so many entries that further deleted files were not searched for.
    pub is_cut: bool,
    /// The submodules that can't be compared, each with the reason.
    pub unknown: Vec<String>,
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
    /// Returns the first and the last line in the file's present state. Of a pure deletion the last is that before the first, so
    /// that what has lines on both sides overlaps it.
    pub fn range(&self) -> (u32, u32) {
        (self.start, (self.start + self.lines).saturating_sub(1))
    }
}

/// Limit of the removed lines of a comparison, in bytes.
const MAX_REMOVED_BYTES: usize = 8 << 20;

/// Returns the indexable files, sorted by path, that were added or changed since the working tree branched off `base`,
/// whether committed, staged or not. Untracked files are included, deleted and ignored ones are not. Nothing is
/// executed. A `base` that ends with `^!` stands for the changes of that commit alone, and `a..b` for those of `b` since it
/// branched off `a`, both at their present lines.
///
/// # Why not a diff of the library
///
/// It lists the whole base, and a few tree objects that contain each other many times have too many entries to
/// visit. It also opens every `.gitignore` and `.gitattributes`, which may be a pipe. Here only the files of the
/// working tree are looked up, each by its path.
///
/// # Errors
/// When there is no git repository, no such base, or git's files cannot be read.
pub fn changed_files(root: &Path, base: &str) -> Result<Vec<ChangedFile>, ChangesError> {
    Ok(compare(root, base, false)?.changed)
}

/// Returns the files that [`changed_files`] returns, and those that were deleted since the working tree branched off `base`; of
/// a part of the history those of its files that the working tree does not have.
///
/// # Errors
/// Those of [`changed_files`].
pub fn difference(root: &Path, base: &str) -> Result<Difference, ChangesError> {
    compare(root, base, true)
}

/// Returns what differs, the deleted files only if `with_deleted`.
fn compare(root: &Path, base: &str, with_deleted: bool) -> Result<Difference, ChangesError> {
    if let Some(past) = commit::Past::of(base) {
        return commit::difference_of(root, &past);
    }
    let git = open(root)?;
    let tree = branching_tree(&git, root, base)?;
    let mut comparison = Comparison::new(&git, root, tree)?;
    let (mut changed, mut added) = (Vec::new(), Vec::new());
    for file in discover(root).files {
        if let Some(found) = comparison.changed(&file.path)? {
            if found.is_added {
                added.push(changed.len());
            }
            changed.push(found.file);
        }
    }
    let mut difference = Difference { changed, ..Difference::default() };
    // A file that is new may be one that was renamed.
    if with_deleted || !added.is_empty() {
        let (mut deleted, is_cut) = deleted::deleted_blobs(&git, root, tree)?;
        let new: Vec<&str> = added.iter().map(|index| difference.changed[*index].path.as_str()).collect();
        for (new, old) in renames::renames(&git, root, &new, &mut deleted)? {
            let file = &mut difference.changed[added[new]];
            file.hunks = comparison.hunks_since(Some(old.blob), &file.path)?.unwrap_or_default();
            file.renamed_from = Some(old.path);
        }
        if with_deleted {
            (difference.deleted, difference.is_cut) = (deleted::texts(&git, deleted)?, is_cut);
        }
    }
    for (path, commit) in comparison.submodules {
        match compare(&root.join(&path), &commit.to_string(), with_deleted) {
            Ok(inner) => difference.add_below(&path, inner),
            Err(error) => difference.unknown.push(format!("the submodule {path} can't be compared: {error}")),
        }
    }
    Ok(difference)
}

impl Difference {
    /// Adds the differences of a submodule.
    fn add_below(&mut self, folder: &str, inner: Difference) {
        let below = |path: String| format!("{folder}/{path}");
        self.changed.extend(inner.changed.into_iter().map(|file| ChangedFile {
            path: below(file.path),
            renamed_from: file.renamed_from.map(below),
            ..file
        }));
        self.deleted.extend(inner.deleted.into_iter().map(|file| DeletedFile { path: below(file.path), ..file }));
        self.changed.sort_by(|one, other| one.path.cmp(&other.path));
        self.deleted.sort_by(|one, other| one.path.cmp(&other.path));
        self.is_cut |= inner.is_cut;
        self.unknown.extend(inner.unknown);
    }
}

/// Returns the paths, sorted, of what an index is made of (files, manifests, code owners) and differs from the checked-out
/// commit. Untracked files are included, deleted and ignored ones are not.
///
/// # Errors
/// Those of [`changed_files`].
pub fn uncommitted_paths(root: &Path) -> Result<Vec<String>, ChangesError> {
    let git = open(root)?;
    let mut comparison = Comparison::new(&git, root, branching_tree(&git, root, "HEAD")?)?;
    let discovery = discover(root);
    let files = discovery.files.into_iter().map(|file| file.path);
    let manifests = discovery.manifests.into_iter().map(|manifest| manifest.path);
    let paths: BTreeSet<String> = files.chain(manifests).chain(owners::LOCATIONS.map(str::to_owned)).collect();
    let mut changed = Vec::new();
    for path in paths {
        if comparison.changed(&path)?.is_some() {
            changed.push(path);
        }
    }
    Ok(changed)
}

/// Returns whether no line from `first` to `last` of a file is in the checked-out commit.
///
/// # Errors
/// Those of [`changed_files`].
pub fn is_uncommitted(root: &Path, path: &str, (first, last): (u32, u32)) -> Result<bool, ChangesError> {
    let git = open(root)?;
    let mut comparison = Comparison::new(&git, root, branching_tree(&git, root, "HEAD")?)?;
    let Some(Found { mut file, is_added }) = comparison.changed(path)? else { return Ok(false) };
    if is_added && let Some(renamed) = changed_files(root, "HEAD")?.into_iter().find(|changed| changed.path == path) {
        file = renamed;
    }
    let is_new = |hunk: &Hunk| hunk.lines > 0 && hunk.start <= first && last <= hunk.range().1;
    Ok(file.hunks.iter().any(is_new))
}

/// Returns the tree of the commit at which the working tree branched off `base`.
fn branching_tree(git: &Git, root: &Path, base: &str) -> Result<ObjectId, ChangesError> {
    let head = git.head()?;
    let Some(base_commit) = git.resolve(base) else { return Err(unknown_base(git, root, base)?) };
    // Without a common ancestor the comparison is with the base itself.
    let from = head.and_then(|head| merge_base(&git.repository, base_commit, head)).unwrap_or(base_commit);
    Ok(git.commit(from)?.tree_id().map_err(GitError::from)?.detach())
}

/// Returns why a revision names no commit.
fn unknown_base(git: &Git, root: &Path, base: &str) -> Result<ChangesError, GitError> {
    let advice = match git.is_shallow() {
        true => "this clone is shallow, and `git fetch --unshallow` gets its whole history",
        false => "`git branch -a` lists branches",
    };
    Ok(match git.head()? {
        Some(_) => ChangesError::UnknownBase { base: base.to_owned(), advice },
        None => ChangesError::NoCommit { path: root.display().to_string() },
    })
}

/// Returns the best common ancestor, from the commits alone: a file that caches them may be older or damaged.
fn merge_base(repository: &gix::Repository, one: ObjectId, other: ObjectId) -> Option<ObjectId> {
    let mut graph = repository.revision_graph(None);
    Some(repository.merge_base_with_graph(one, other, &mut graph).ok()??.detach())
}

/// The comparison of the files of a working tree with a commit's tree.
struct Comparison<'r> {
    git: &'r Git,
    root: &'r Path,
    /// Saves reading files that did not change; `None` if it can't be read.
    index: Option<gix::index::File>,
    /// Time of the last change of the index, in seconds and nanoseconds: a file changed at this time may have changed again.
    index_time: (i64, u32),
    /// The submodules that have files, each with its commit in the base.
    submodules: BTreeMap<String, ObjectId>,
    /// Trees of the base by folder; `None` for a folder that it does not have.
    trees: HashMap<String, Option<Tree<'r>>>,
    /// The bytes of removed lines that are still kept.
    removed_bytes_left: usize,
}

/// A file that differs from the base.
struct Found {
    file: ChangedFile,
    is_added: bool,
}

/// The version of a file in the base.
enum Before {
    Missing,
    Blob(ObjectId),
    /// The path leads into another repository.
    Submodule,
}

impl<'r> Comparison<'r> {
    fn new(git: &'r Git, root: &'r Path, tree: ObjectId) -> Result<Comparison<'r>, GitError> {
        let index = git.repository.open_index().ok();
        let changed = fs::metadata(git.repository.index_path());
        let index_time = changed.map_or((0, 0), |metadata| modified(&metadata));
        let trees = HashMap::from([(String::new(), git.tree(tree)?)]);
        let (submodules, removed_bytes_left) = (BTreeMap::new(), MAX_REMOVED_BYTES);
        Ok(Comparison { git, root, index, index_time, submodules, trees, removed_bytes_left })
    }

    /// Returns a file if it differs from the base; `None` also if it can't be read.
    fn changed(&mut self, path: &str) -> Result<Option<Found>, GitError> {
        let before = match self.before(path)? {
            Before::Submodule => return Ok(None),
            Before::Missing => None,
            Before::Blob(id) if self.is_known_unchanged(path, id) => return Ok(None),
            Before::Blob(id) => Some(id),
        };
        let Some(hunks) = self.hunks_since(before, path)? else { return Ok(None) };
        let has_conflicts = before.is_some() && has_conflicts(self.root, path, &hunks);
        let file = ChangedFile { path: path.to_owned(), renamed_from: None, hunks, has_conflicts };
        Ok(Some(Found { file, is_added: before.is_none() }))
    }

    /// Returns the changed ranges of a file since a version; `None` if it is unchanged or can't be read.
    fn hunks_since(&mut self, before: Option<ObjectId>, path: &str) -> Result<Option<Vec<Hunk>>, GitError> {
        let Ok(now) = read_inside(self.root, path, MAX_FILE_BYTES) else { return Ok(None) };
        let old = match before {
            Some(id) if git::hash(&self.git.repository, &now)? == id => return Ok(None),
            Some(id) => self.git.blob(id, MAX_OBJECT_BYTES)?.unwrap_or_default(),
            None => Vec::new(),
        };
        // Git may have converted the ends of lines.
        let (old, now) = (with_line_feeds(text_of(old)), with_line_feeds(text_of(now)));
        if before.is_some() && old == now {
            return Ok(None);
        }
        if is_binary(&old) || is_binary(&now) {
            return Ok(Some(Vec::new()));
        }
        let old_lines: Vec<&[u8]> = diff::lines(&old).collect();
        let hunks = diff::changes(&old, &now).into_iter().map(|Change { before, after }| Hunk {
            start: after.start as u32 + 1,
            lines: after.len() as u32,
            removed: self.removed(old_lines.get(before).unwrap_or_default()),
        });
        Ok(Some(hunks.collect()))
    }

    /// Returns the removed lines of a hunk as text, while there is room for them.
    fn removed(&mut self, lines: &[&[u8]]) -> Vec<String> {
        let Some(left) = self.removed_bytes_left.checked_sub(lines.iter().map(|line| line.len()).sum()) else {
            return Vec::new();
        };
        self.removed_bytes_left = left;
        lines.iter().map(|line| String::from_utf8_lossy(line).trim_end_matches('\n').to_owned()).collect()
    }

    /// Returns whether the index knows a file to be this blob, without reading it.
    fn is_known_unchanged(&self, path: &str, blob: ObjectId) -> bool {
        let entry = self.index.as_ref().and_then(|index| index.entry_by_path(path.as_bytes().as_bstr()));
        let Some(entry) = entry else { return false };
        let Ok(metadata) = fs::symlink_metadata(self.root.join(path)) else { return false };
        let (seconds, nanoseconds) = modified(&metadata);
        let (known, part) = (i64::from(entry.stat.mtime.secs), entry.stat.mtime.nsecs);
        // An index without parts of seconds tells nothing of changes in its own second.
        let is_older = if part == 0 { known < self.index_time.0 } else { (known, part) < self.index_time };
        entry.id == blob
            && u64::from(entry.stat.size) == metadata.len()
            && known == seconds
            && (part == nanoseconds || part == 0)
            && is_older
    }

    /// Looks up a file in the base.
    fn before(&mut self, path: &str) -> Result<Before, GitError> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let mut known = 0;
        // The trees of the folders above, outermost first.
        for end in folder.match_indices('/').map(|(end, _)| end).chain([folder.len()]) {
            let part = &folder[..end];
            if !self.trees.contains_key(part) {
                let name = part[known..].trim_start_matches('/');
                let tree = match self.entry(part[..known].trim_end_matches('/'), name) {
                    Some((id, mode)) if mode.is_tree() => self.git.tree(id)?,
                    Some((id, mode)) if mode.is_commit() => {
                        self.submodules.insert(part.to_owned(), id);
                        return Ok(Before::Submodule);
                    }
                    _ => None,
                };
                self.trees.insert(part.to_owned(), tree);
            }
            known = end;
        }
        Ok(match self.entry(folder, name) {
            Some((_, mode)) if mode.is_tree() => Before::Missing,
            Some((_, mode)) if mode.is_commit() => Before::Submodule,
            Some((id, _)) => Before::Blob(id),
            None => Before::Missing,
        })
    }

    /// Returns the files that the base has in a folder, in which `path` is.
    fn files_of(&mut self, folder: &str, path: &str) -> Result<HashMap<Vec<u8>, ObjectId>, GitError> {
        // This reads the trees of the folders above.
        self.before(path)?;
        let tree = self.trees.get(folder).and_then(|tree| tree.as_ref()?.decode().ok());
        let entries = tree.iter().flat_map(|tree| &tree.entries).filter(|entry| !entry.mode.is_tree());
        Ok(entries.map(|entry| (entry.filename.to_vec(), entry.oid.to_owned())).collect())
    }

    /// Returns an entry of a folder whose tree has been read.
    fn entry(&self, folder: &str, name: &str) -> Option<(ObjectId, EntryMode)> {
        let tree = self.trees.get(folder)?.as_ref()?.decode().ok()?;
        // Entries are in an order in which a folder's name ends with a slash.
        let name = name.as_bytes().as_bstr();
        let entry = tree.bisect_entry(name, false).or_else(|| tree.bisect_entry(name, true))?;
        Some((entry.oid.to_owned(), entry.mode))
    }
}

/// The marks between which a merge writes both sides of a conflict.
pub const CONFLICT: [&str; 3] = ["<<<<<<<", "=======", ">>>>>>>"];

/// Returns whether changed lines of a file are the marks of a merge.
fn has_conflicts(root: &Path, path: &str, hunks: &[Hunk]) -> bool {
    // Three marks at least are in it.
    if hunks.iter().map(|hunk| hunk.lines).sum::<u32>() < CONFLICT.len() as u32 {
        return false;
    }
    let Ok(now) = read_inside(root, path, MAX_FILE_BYTES) else { return false };
    let text = text_of(now);
    let mut left = CONFLICT.iter().peekable();
    for line in diff::lines(&text) {
        left.next_if(|mark| line.starts_with(mark.as_bytes()));
    }
    left.peek().is_none()
}

/// Returns whether git would call a file binary.
fn is_binary(content: &[u8]) -> bool {
    content.iter().take(8_000).any(|byte| *byte == 0)
}

/// Returns a file's text as it is indexed, so that lines are those that users see; a binary file as it is.
fn text_of(bytes: Vec<u8>) -> Vec<u8> {
    decode(bytes.clone()).map_or(bytes, String::into_bytes)
}

/// Returns a text with `\n` instead of each `\r\n`.
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

fn open(root: &Path) -> Result<Git, ChangesError> {
    let path = root.display().to_string();
    match git::open(root)? {
        Some(git) => Ok(git),
        None if is_bare(root) => Err(ChangesError::Bare { path }),
        None => Err(match broken_pointer(root) {
            Some((file, target)) => {
                ChangesError::Gone { file: file.display().to_string(), target: excerpt(&target).into_owned() }
            }
            None => ChangesError::NoGit { path },
        }),
    }
}

#[cfg(test)]
mod tests;
