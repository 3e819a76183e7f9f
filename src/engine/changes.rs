//! The changes since a revision: changed lines, changed symbols, and the symbols that use and test them.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use super::{EngineError, Ranker};
use crate::model::{EdgeType, NodeId, Symbol, SymbolId, SymbolKind};
use crate::scan::changes::{ChangedFile, changed_files};
use crate::store::location::FOLDER;

/// Limit of the symbols with a role; more than any list shows.
const MAX_ROLES: usize = 20_000;

/// The relation of a symbol to a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeRole {
    Changed,
    /// A test of a changed symbol.
    Tests,
    /// A caller of a changed symbol.
    Calls,
}

impl ChangeRole {
    /// Returns the words that follow the name of the symbol.
    pub fn label(self) -> &'static str {
        match self {
            ChangeRole::Changed => "changed",
            ChangeRole::Tests => "tests what changed",
            ChangeRole::Calls => "calls what changed",
        }
    }
}

/// The changes since a revision.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// The first and the last line of each changed range, by file; files that are not indexed are among them.
    pub files: BTreeMap<String, Vec<(u32, u32)>>,
    pub roles: BTreeMap<SymbolId, ChangeRole>,
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
        let is_own = |file: &ChangedFile| Path::new(&file.path).starts_with(FOLDER);
        for file in changed_files(&self.root, base)?.into_iter().filter(|file| !is_own(file)) {
            let symbols = self.reader.symbols_of_file(&file.path)?;
            let changed = touched(&symbols, &file.lines).into_iter().filter(|symbol| is_code(symbol.kind));
            by_node.extend(changed.map(|symbol| (symbol.node, ChangeRole::Changed)));
            changes.files.insert(file.path, file.lines);
        }
        let changed: Vec<NodeId> = by_node.keys().copied().collect();
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
