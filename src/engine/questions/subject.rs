//! The symbols that a question is about.

use std::collections::HashSet;
use std::path::Path;

use super::Questions;
use crate::engine::inspect::named;
use crate::engine::{EngineError, changes};
use crate::model::{EdgeType, NodeId, Subject, Symbol, SymbolKind};
use crate::scan::changes::changed_files;
use crate::store::location::FOLDER;

/// The symbols that a question is about, and where the search for an answer begins.
#[derive(Debug, Default)]
pub(super) struct Roots {
    pub subjects: Vec<Symbol>,
    /// The subjects, and the members of those that were named.
    pub nodes: Vec<NodeId>,
    pub notes: Vec<String>,
}

impl Questions<'_> {
    /// Returns the roots of a subject.
    pub(super) fn roots(&self, subject: &Subject) -> Result<Roots, EngineError> {
        match subject {
            Subject::Symbol(name) => {
                let symbol = named(self.reader, name)?;
                Ok(Roots { nodes: self.with_members(symbol.node), subjects: vec![symbol], notes: Vec::new() })
            }
            Subject::Diff(base) => self.changed(base),
        }
    }

    /// Returns a symbol and everything that is defined in it.
    pub(super) fn with_members(&self, node: NodeId) -> Vec<NodeId> {
        let mut nodes = vec![node];
        let mut known = HashSet::from([node]);
        let mut next = 0;
        while let Some(&node) = nodes.get(next) {
            let contained = self.graph.adjacency.outgoing(node).iter();
            let contained = contained.filter(|edge| edge.edge_type == EdgeType::Contains).map(|edge| edge.node);
            nodes.extend(contained.filter(|node| known.insert(*node)));
            next += 1;
        }
        nodes
    }

    /// Returns the symbols that differ between a revision and the working tree.
    fn changed(&self, base: &str) -> Result<Roots, EngineError> {
        let mut roots = Roots::default();
        let (mut outside, mut unindexed) = (0, 0);
        let files = changed_files(self.root, base)?.into_iter();
        for file in files.filter(|file| !Path::new(&file.path).starts_with(FOLDER)) {
            let symbols = self.reader.symbols_of_file(&file.path)?;
            let touched = changes::touched(&symbols, &file.lines);
            unindexed += usize::from(symbols.is_empty());
            let code = touched.into_iter().filter(|symbol| changes::is_code(symbol.kind));
            roots.subjects.extend(code.cloned());
            if is_changed_outside(&symbols, &file.lines) {
                outside += 1;
                // Tests without names are code of their file.
                let file = symbols.iter().find(|symbol| symbol.kind == SymbolKind::File);
                roots.nodes.extend(file.filter(|file| file.is_test).map(|file| file.node));
            }
        }
        roots.nodes.extend(roots.subjects.iter().map(|symbol| symbol.node));
        let files = |count: usize| if count == 1 { "1 file".to_owned() } else { format!("{count} files") };
        if outside > 0 {
            roots.notes.push(format!("{} changed outside definitions, such as imports", files(outside)));
        }
        if unindexed > 0 {
            roots.notes.push(format!("{} changed that no question covers: not indexed", files(unindexed)));
        }
        Ok(roots)
    }
}

/// Returns whether a changed range touches no definition.
fn is_changed_outside(symbols: &[Symbol], lines: &[(u32, u32)]) -> bool {
    let definitions = || symbols.iter().filter(|symbol| changes::is_code(symbol.kind)).map(|symbol| symbol.span);
    lines.iter().any(|(first, last)| definitions().all(|span| *last < span.start_line || span.end_line < *first))
}
