//! The symbols that a question is about.

use std::collections::HashSet;

use super::Questions;
use crate::engine::inspect::named;
use crate::engine::{EngineError, Ranker, changes};
use crate::lang::language_of;
use crate::model::{EdgeType, NodeId, Subject, Symbol, SymbolKind};
use crate::scan::changes::{changed_files, deleted_files};

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
                let symbol = self.named(name)?;
                Ok(Roots { nodes: self.with_members(&symbol)?, subjects: vec![symbol], notes: Vec::new() })
            }
            Subject::Diff(base) => self.changed(base),
        }
    }

    /// Returns the symbol of a name; the first of several overloads.
    ///
    /// # Errors
    /// When there is none or more than one, or the store can't be read.
    pub fn named(&self, name: &str) -> Result<Symbol, EngineError> {
        match named(self.reader, self.root, name) {
            Err(EngineError::Name(error)) => match error.choices.split_first() {
                Some(((_, first), others)) if others.iter().all(|(_, other)| is_overload(first, other)) => {
                    Ok(first.clone())
                }
                _ => Err(EngineError::Name(error)),
            },
            found => found,
        }
    }

    /// Returns the nodes of a symbol and of its overloads.
    pub(super) fn overloads(&self, symbol: &Symbol) -> Result<Vec<NodeId>, EngineError> {
        let mut nodes = vec![symbol.node];
        if symbol.kind.is_callable() && has_overloads(symbol) {
            let namesakes = self.reader.nodes_named_exactly(&symbol.name, MAX_NAMESAKES)?;
            let namesakes = namesakes.into_iter().filter(|node| self.graph.path(*node) == Some(symbol.file.as_str()));
            for node in namesakes.filter(|node| *node != symbol.node).collect::<Vec<NodeId>>() {
                nodes.extend(self.reader.symbol(node)?.filter(|other| is_overload(symbol, other)).map(|_| node));
            }
        }
        Ok(nodes)
    }

    /// Returns a symbol, its overloads, and everything that is defined in them.
    pub(super) fn with_members(&self, symbol: &Symbol) -> Result<Vec<NodeId>, EngineError> {
        let mut nodes = self.overloads(symbol)?;
        let mut known: HashSet<NodeId> = nodes.iter().copied().collect();
        let mut next = 0;
        while let Some(&node) = nodes.get(next) {
            let contained = self.graph.adjacency.outgoing(node).iter();
            let contained = contained.filter(|edge| edge.edge_type == EdgeType::Contains).map(|edge| edge.node);
            nodes.extend(contained.filter(|node| known.insert(*node)));
            next += 1;
        }
        Ok(nodes)
    }

    /// Returns the symbols that differ between a revision and the working tree.
    fn changed(&self, base: &str) -> Result<Roots, EngineError> {
        let mut roots = Roots::default();
        let (mut outside, mut unindexed) = (0, 0);
        for file in changed_files(self.root, base)? {
            let symbols = self.reader.symbols_of_file(&file.path)?;
            let ranges = file.ranges();
            let touched = changes::touched(&symbols, &ranges);
            unindexed += usize::from(symbols.is_empty());
            let code = touched.into_iter().filter(|symbol| changes::is_code(symbol.kind));
            roots.subjects.extend(code.cloned());
            if is_changed_outside(&symbols, &ranges) {
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
        let deleted = deleted_files(self.root, base)?;
        let paths: Vec<&str> =
            deleted.paths.iter().map(String::as_str).filter(|path| language_of(path).is_some()).collect();
        if let Some((named, more)) = paths.split_at_checked(MAX_NAMED.min(paths.len())).filter(|_| !paths.is_empty()) {
            let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
            let (count, names) = (files(paths.len()), named.join(", "));
            roots.notes.push(format!("{count} deleted ({names}{more}), whose users are not known"));
        }
        if deleted.is_cut {
            roots.notes.push("the revision has too many files to find all that were deleted".to_owned());
        }
        if unindexed > 0 {
            roots.notes.push(format!("{} changed but not indexed", files(unindexed)));
        }
        Ok(roots)
    }
}

impl Ranker {
    /// Returns the symbol of a name, which must be unique.
    ///
    /// # Errors
    /// When there is none or more than one, or the store can't be read.
    pub fn symbol_named(&self, name: &str) -> Result<Symbol, EngineError> {
        named(&self.reader, &self.root, name)
    }
}

/// Limit of the deleted files that a note names.
const MAX_NAMED: usize = 5;

/// Limit of the symbols of one name that are read.
const MAX_NAMESAKES: usize = 10_000;

fn has_overloads(symbol: &Symbol) -> bool {
    language_of(&symbol.file).is_some_and(|language| language.has_overloads)
}

/// Returns whether two symbols are overloads of each other.
fn is_overload(one: &Symbol, other: &Symbol) -> bool {
    let key = |symbol: &Symbol| (symbol.kind, symbol.file.clone(), symbol.scope.clone(), symbol.name.clone());
    key(one) == key(other) && has_overloads(one)
}

/// Returns whether a changed range touches no definition.
fn is_changed_outside(symbols: &[Symbol], lines: &[(u32, u32)]) -> bool {
    let definitions = || symbols.iter().filter(|symbol| changes::is_code(symbol.kind)).map(|symbol| symbol.span);
    lines.iter().any(|(first, last)| definitions().all(|span| *last < span.start_line || span.end_line < *first))
}
