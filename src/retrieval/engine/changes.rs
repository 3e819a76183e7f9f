//! The changes since a revision: changed lines, changed symbols, and the symbols that use and test them.

use std::collections::{BTreeMap, HashSet};

use super::removed::BaseComparison;
use super::{EngineError, Ranker, Ranking};
use crate::lang::language_of;
use crate::model::{EdgeType, NodeId, Symbol, SymbolId, SymbolKind};
use crate::scan::changes::{Hunk, changed_files, changed_paths};
use crate::text::listed;

/// Limit of the symbols with a role; more than any list shows.
const MAX_ROLES: usize = 20_000;

/// Limit of the changed symbols whose tests are searched for; each search can visit the whole graph.
const MAX_TESTABLE: usize = 500;

/// The relation of a symbol to a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeRole {
    /// A changed function, method or type that no test reaches.
    Untested,
    Changed,
    /// A test of a changed symbol.
    Tests,
    /// A caller of a changed symbol.
    Calls,
}

impl ChangeRole {
    /// Returns the words of the list's column.
    pub fn label(self) -> &'static str {
        match self {
            ChangeRole::Untested => "untested",
            ChangeRole::Changed => "changed",
            ChangeRole::Tests => "tests it",
            ChangeRole::Calls => "calls it",
        }
    }
}

/// The changes since a revision.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// The changed ranges by file; files that are not indexed are among them.
    pub files: BTreeMap<String, Vec<Hunk>>,
    pub elsewhere: Elsewhere,
    pub roles: BTreeMap<SymbolId, ChangeRole>,
    /// The owners of the changed files that have some.
    pub owners: BTreeMap<String, Vec<String>>,
}

/// The paths of what changed beside indexed files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Elsewhere {
    /// Files that the working tree does not have: they were deleted.
    pub absent: Vec<String>,
    /// Files that are not indexed, such as documentation and configuration.
    pub unread: Vec<String>,
    /// Sentences on the definitions that were removed, with the lines that still name them, and on conflicts of a merge.
    pub removed: Vec<String>,
}

/// Limit of the files that a notice names.
const MAX_NAMED: usize = 5;

impl Elsewhere {
    /// Adds what changed in another repository, whose paths are shown as `shown` returns them.
    pub fn add(&mut self, other: Elsewhere, shown: impl Fn(String) -> String) {
        self.absent.extend(other.absent.into_iter().map(&shown));
        self.unread.extend(other.unread.into_iter().map(&shown));
        self.removed.extend(other.removed);
    }

    /// Returns a sentence about these files; `None` without any.
    pub fn notice(&self) -> Option<String> {
        let part =
            |files: &[String], what: &str| (!files.is_empty()).then(|| format!("{what}: {}", listed(files, MAX_NAMED)));
        let parts =
            [part(&self.unread, "changed, and not indexed"), part(&self.absent, "not in the working tree any more")];
        let parts: Vec<String> = parts.into_iter().flatten().chain(self.removed.iter().cloned()).collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

impl Ranker {
    /// Returns what changed beside indexed files since the revision of a ranking; nothing for one of another request.
    ///
    /// # Errors
    /// When git or the store cannot be read.
    pub fn changed_elsewhere(&self, base: &str, ranking: &Ranking) -> Result<Elsewhere, EngineError> {
        ranking.compared.as_ref().map_or_else(|| Ok(Elsewhere::default()), |compared| self.elsewhere(base, compared))
    }

    fn elsewhere(&self, base: &str, compared: &BaseComparison) -> Result<Elsewhere, EngineError> {
        let BaseComparison { changed, deleted, leavings, unknown, .. } = compared;
        let mut unread = changed_paths(&self.root, base)?;
        unread.retain(|path| !changed.contains(path) && deleted.binary_search(path).is_err());
        let conflicts = leavings.conflicts.iter().map(|path| in_conflict(path));
        let mut sentences: Vec<String> = conflicts.chain(unknown.iter().cloned()).collect();
        sentences.extend(self.questions()?.notes_on_removed(&leavings.removed)?);
        Ok(Elsewhere { absent: deleted.clone(), unread, removed: sentences })
    }

    /// Returns the indexed files with uncommitted changes.
    ///
    /// # Errors
    /// When there is no commit, or git or the store cannot be read.
    pub fn dirty_files(&self) -> Result<Vec<String>, EngineError> {
        let indexed: HashSet<&str> = self.graph.files().iter().map(|(_, path)| path.as_str()).collect();
        let changed = changed_files(&self.root, "HEAD")?.into_iter().map(|file| file.path);
        Ok(changed.filter(|path| indexed.contains(path.as_str())).collect())
    }

    /// Returns the changes between a revision and the working tree.
    ///
    /// # Errors
    /// When the revision is unknown, or git or the store cannot be read.
    pub fn changes(&self, base: &str) -> Result<Changes, EngineError> {
        let mut changes = Changes::default();
        let mut by_node: BTreeMap<NodeId, ChangeRole> = BTreeMap::new();
        let questions = self.questions()?;
        let mut testable = Vec::new();
        let compared = BaseComparison::new(&self.root, &self.reader, base, |file, symbols, lines| {
            let is_program = language_of(&file.path).is_none_or(|language| language.is_program);
            let changed = touched(symbols, lines).into_iter().filter(|symbol| is_code(symbol.kind));
            for symbol in changed {
                by_node.insert(symbol.node, ChangeRole::Changed);
                let is_testable = is_program && !symbol.is_test && (symbol.kind.is_callable() || symbol.kind.is_type());
                testable.extend(is_testable.then(|| symbol.clone()));
            }
            let owners = symbols.first().map(|symbol| questions.owners(symbol)).transpose()?.unwrap_or_default();
            if !owners.is_empty() {
                changes.owners.insert(file.path.clone(), owners);
            }
            changes.files.insert(file.path, file.hunks);
            Ok(())
        })?;
        changes.elsewhere = self.elsewhere(base, &compared)?;
        let changed: Vec<NodeId> = by_node.keys().copied().collect();
        testable.truncate(MAX_TESTABLE);
        by_node.extend(questions.untested(&testable)?.into_iter().map(|node| (node, ChangeRole::Untested)));
        for node in changed {
            for neighbor in self.graph.incoming(node) {
                let is_test = self.graph.meta(neighbor.node).is_some_and(|meta| meta.is_test);
                let role = match (neighbor.edge_type, is_test) {
                    (EdgeType::Calls | EdgeType::Tests, true) => ChangeRole::Tests,
                    (EdgeType::Calls, false) => ChangeRole::Calls,
                    _ => continue,
                };
                let known = by_node.entry(neighbor.node).or_insert(role);
                *known = role.min(*known);
            }
        }
        for (node, role) in by_node.into_iter().take(MAX_ROLES) {
            if let Some(id) = self.reader.symbol_id(node)? {
                changes.roles.insert(id, role);
            }
        }
        self.graph.check()?;
        Ok(changes)
    }
}

/// Returns the note on a file with the marks of a merge.
pub(super) fn in_conflict(path: &str) -> String {
    format!("{path} has merge conflicts")
}

/// Returns the innermost symbols of a file around changed lines, and those whose first line changed.
pub(super) fn touched<'a>(symbols: &'a [Symbol], lines: &[(u32, u32)]) -> Vec<&'a Symbol> {
    let touched = super::pipeline::are_touched(symbols, lines);
    symbols.iter().zip(touched).filter(|(_, is_touched)| *is_touched).map(|(symbol, _)| symbol).collect()
}

/// Returns whether a symbol of this kind is code; a change of a file outside its definitions changes only the file.
pub(super) fn is_code(kind: SymbolKind) -> bool {
    !matches!(kind, SymbolKind::File | SymbolKind::Package)
}
