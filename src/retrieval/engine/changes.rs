//! The changes since a revision: changed lines, changed symbols, and the symbols that use and test them.

use std::collections::{BTreeMap, HashSet};

use super::{EngineError, Ranker};
use crate::model::{EdgeType, NodeId, Symbol, SymbolId, SymbolKind};
use crate::scan::changes::{Hunk, changed_files, deleted_files};

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
    /// The files that were deleted or renamed.
    pub deleted: Vec<String>,
    pub roles: BTreeMap<SymbolId, ChangeRole>,
    /// The owners of the changed files that have some.
    pub owners: BTreeMap<String, Vec<String>>,
}

impl Ranker {
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
        for file in changed_files(&self.root, base)? {
            let symbols = self.reader.symbols_of_file(&file.path)?;
            let changed = touched(&symbols, &file.ranges()).into_iter().filter(|symbol| is_code(symbol.kind));
            for symbol in changed {
                by_node.insert(symbol.node, ChangeRole::Changed);
                let is_testable = !symbol.is_test && (symbol.kind.is_callable() || symbol.kind.is_type());
                testable.extend(is_testable.then(|| symbol.clone()));
            }
            let owners = symbols.first().map(|symbol| questions.owners(symbol)).transpose()?.unwrap_or_default();
            if !owners.is_empty() {
                changes.owners.insert(file.path.clone(), owners);
            }
            changes.files.insert(file.path, file.hunks);
        }
        changes.deleted = deleted_files(&self.root, base)?.paths;
        let changed: Vec<NodeId> = by_node.keys().copied().collect();
        testable.truncate(MAX_TESTABLE);
        by_node.extend(questions.untested(&testable)?.into_iter().map(|node| (node, ChangeRole::Untested)));
        for node in changed {
            for neighbor in self.graph.adjacency.incoming(node) {
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
        Ok(changes)
    }
}

/// Returns the innermost symbols of a file around changed lines.
pub(super) fn touched<'a>(symbols: &'a [Symbol], lines: &[(u32, u32)]) -> Vec<&'a Symbol> {
    let spans: Vec<(u32, u32)> = symbols.iter().map(|symbol| (symbol.span.start_line, symbol.span.end_line)).collect();
    let touched = super::pipeline::touched(&spans, lines);
    symbols.iter().zip(touched).filter(|(_, is_touched)| *is_touched).map(|(symbol, _)| symbol).collect()
}

/// Returns whether a symbol of this kind is code; a change of a file outside its definitions changes only the file.
pub(super) fn is_code(kind: SymbolKind) -> bool {
    !matches!(kind, SymbolKind::File | SymbolKind::Package)
}
