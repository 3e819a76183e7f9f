//! Differences of two git trees.

use git2::{ObjectType, Oid, Repository, Tree};

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
) -> Result<Option<Vec<String>>, git2::Error> {
    let mut comparison = Comparison { repository, limit, entries_left: MAX_ENTRIES, paths: Vec::new() };
    let complete = comparison.compare(old, Some(new), "", 0)?;
    comparison.paths.sort_unstable();
    Ok(complete.then_some(comparison.paths))
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
    ) -> Result<bool, git2::Error> {
        if depth > MAX_DEPTH {
            return Ok(true);
        }
        let entries = TREE_COST + old.map_or(0, Tree::len) + new.map_or(0, Tree::len);
        let Some(left) = self.entries_left.checked_sub(entries) else { return Ok(false) };
        self.entries_left = left;
        for entry in new.iter().flat_map(|tree| tree.iter()) {
            let before = old.and_then(|tree| lookup(tree, entry.name_bytes()));
            let after = (entry.id(), entry.kind());
            if before != Some(after) && !self.differ(before, Some(after), prefix, entry.name_bytes(), depth)? {
                return Ok(false);
            }
        }
        for entry in old.iter().flat_map(|tree| tree.iter()) {
            let is_gone = new.is_none_or(|tree| lookup(tree, entry.name_bytes()).is_none());
            let before = Some((entry.id(), entry.kind()));
            if is_gone && !self.differ(before, None, prefix, entry.name_bytes(), depth)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn differ(
        &mut self,
        before: Option<(Oid, Option<ObjectType>)>,
        after: Option<(Oid, Option<ObjectType>)>,
        prefix: &str,
        name: &[u8],
        depth: usize,
    ) -> Result<bool, git2::Error> {
        let path = format!("{prefix}{}", String::from_utf8_lossy(name));
        let is = |side: Option<(Oid, Option<ObjectType>)>, kind: ObjectType| {
            side.filter(|(_, its_kind)| *its_kind == Some(kind)).map(|(id, _)| id)
        };
        if is(before, ObjectType::Blob).or(is(after, ObjectType::Blob)).is_some() {
            self.paths.push(path.clone());
        }
        let old = is(before, ObjectType::Tree).map(|id| self.repository.find_tree(id)).transpose()?;
        let new = is(after, ObjectType::Tree).map(|id| self.repository.find_tree(id)).transpose()?;
        if (old.is_some() || new.is_some()) && !self.compare(old.as_ref(), new.as_ref(), &(path + "/"), depth + 1)? {
            return Ok(false);
        }
        Ok(self.paths.len() <= self.limit)
    }
}

fn lookup(tree: &Tree<'_>, name: &[u8]) -> Option<(Oid, Option<ObjectType>)> {
    let text = std::str::from_utf8(name).ok()?;
    tree.get_name(text).map(|entry| (entry.id(), entry.kind()))
}
