//! Relocation of a symbol in another state of the index.

use std::collections::BTreeSet;

use super::{EngineError, Ranker};
use crate::model::{NodeId, Symbol};
use crate::store::MAX_NODES;

impl Ranker {
    /// Returns the symbol of the same identity in this index; `None` if there is none. A symbol of a
    /// [`super::PartialIndex`], which has the node [`MAX_NODES`], is found by kind, name and line instead: its ordinal
    /// among equal names of a package is not known there.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn relocate(&self, known: &Symbol) -> Result<Option<Symbol>, EngineError> {
        if known.node == NodeId::new(MAX_NODES) {
            let mut in_file = self.reader.symbols_of_file(&known.file)?;
            in_file
                .retain(|symbol| (symbol.kind, &symbol.scope, &symbol.name) == (known.kind, &known.scope, &known.name));
            return Ok(in_file.into_iter().min_by_key(|symbol| symbol.span.name_line.abs_diff(known.span.name_line)));
        }
        // Most symbols keep their node.
        if let Some(symbol) = self.reader.symbol(known.node)?.filter(|symbol| symbol.id == known.id) {
            return Ok(Some(symbol));
        }
        match self.nodes_of(&BTreeSet::from([known.id]))?.first() {
            Some(node) => Ok(self.reader.symbol(*node)?),
            None => Ok(None),
        }
    }
}
