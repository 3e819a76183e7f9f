//! Differences of two git trees.

use std::cmp::Ordering;

use gix::objs::TreeRef;
use gix::objs::tree::EntryRef;
use gix::{ObjectId, Repository, Tree};

/// Maximum depth of compared trees. No real repository reaches it.
const MAX_DEPTH: usize = 100;
/// Maximum number of entries read for one commit. A few tree objects that contain each other many times can have more
/// entries than can be visited.
const MAX_ENTRIES: usize = 100_000;
/// Cost of reading a tree, in entries. A commit within the limit of files reads few trees.
const TREE_COST: usize = 20;

/// Returns the paths of the files that differ, sorted; `None` if there are more than `limit` or too many entries to
/// read. Only trees that differ are read, which makes it several times faster than a full diff.
pub(super) fn changed_files(
    repository: &Repository,
    old: Option<&Tree<'_>>,
    new: &Tree<'_>,
    limit: usize,
) -> Result<Option<Vec<String>>, gix::Error> {
    let (paths, is_complete) = compare(repository, old, new, limit)?;
    Ok(is_complete.then_some(paths))
}

/// Returns the first paths of the files that differ, sorted: all of them, if there are at most `limit`.
pub(in crate::scan) fn touched_files(
    repository: &Repository,
    old: Option<&Tree<'_>>,
    new: &Tree<'_>,
    limit: usize,
) -> Result<Vec<String>, gix::Error> {
    Ok(compare(repository, old, new, limit)?.0)
}

/// Returns the paths of files that differ, sorted, and whether they are all.
fn compare(
    repository: &Repository,
    old: Option<&Tree<'_>>,
    new: &Tree<'_>,
    limit: usize,
) -> Result<(Vec<String>, bool), gix::Error> {
    let mut comparison = Comparison { repository, limit, entries_left: MAX_ENTRIES, paths: Vec::new() };
    let is_complete = comparison.compare(old, Some(new), "", 0)?;
    comparison.paths.sort_unstable();
    comparison.paths.dedup();
    Ok((comparison.paths, is_complete))
}

struct Comparison<'r> {
    repository: &'r Repository,
    limit: usize,
    /// Number of entries that may still be read.
    entries_left: usize,
    paths: Vec<String>,
}

impl Comparison<'_> {
    /// Returns whether the comparison is complete; it stops at a limit.
    fn compare(
        &mut self,
        old: Option<&Tree<'_>>,
        new: Option<&Tree<'_>>,
        prefix: &str,
        depth: usize,
    ) -> Result<bool, gix::Error> {
        if depth > MAX_DEPTH {
            return Ok(true);
        }
        let (old, new) = (decode(old)?.entries, decode(new)?.entries);
        let entries = TREE_COST + old.len() + new.len();
        let Some(left) = self.entries_left.checked_sub(entries) else { return Ok(false) };
        self.entries_left = left;
        // Both are in git's order, in which a folder's name ends with a slash.
        let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
        loop {
            let order = match (old.peek(), new.peek()) {
                (None, None) => return Ok(true),
                (Some(before), Some(after)) => before.cmp(after),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
            };
            let before = if order.is_le() { old.next() } else { None };
            let after = if order.is_ge() { new.next() } else { None };
            let is_equal =
                |(one, other): (&EntryRef<'_>, &EntryRef<'_>)| one.oid == other.oid && kind(one) == kind(other);
            if !before.zip(after).is_some_and(is_equal) && !self.differ(before, after, prefix, depth)? {
                return Ok(false);
            }
        }
    }

    fn differ(
        &mut self,
        before: Option<&EntryRef<'_>>,
        after: Option<&EntryRef<'_>>,
        prefix: &str,
        depth: usize,
    ) -> Result<bool, gix::Error> {
        let Some(entry) = before.or(after) else { return Ok(true) };
        let path = format!("{prefix}{}", String::from_utf8_lossy(entry.filename));
        let is = |side: Option<&EntryRef<'_>>, wanted: Kind| -> Option<ObjectId> {
            side.filter(|entry| kind(entry) == wanted).map(|entry| entry.oid.to_owned())
        };
        if is(before, Kind::Blob).or(is(after, Kind::Blob)).is_some() {
            self.paths.push(path.clone());
        }
        let old = is(before, Kind::Tree).map(|id| self.repository.find_tree(id)).transpose()?;
        let new = is(after, Kind::Tree).map(|id| self.repository.find_tree(id)).transpose()?;
        if (old.is_some() || new.is_some()) && !self.compare(old.as_ref(), new.as_ref(), &(path + "/"), depth + 1)? {
            return Ok(false);
        }
        Ok(self.paths.len() <= self.limit)
    }
}

fn decode<'t>(tree: Option<&'t Tree<'_>>) -> Result<TreeRef<'t>, gix::Error> {
    tree.map_or(Ok(TreeRef::empty()), Tree::decode)
}

#[derive(PartialEq, Eq)]
enum Kind {
    Tree,
    Blob,
    /// The commit of another repository.
    Commit,
}

fn kind(entry: &EntryRef<'_>) -> Kind {
    match entry.mode {
        mode if mode.is_tree() => Kind::Tree,
        mode if mode.is_commit() => Kind::Commit,
        _ => Kind::Blob,
    }
}
