//! Relocation of a symbol in another state of the index.

use std::collections::BTreeSet;

use super::{EngineError, Ranker};
use crate::model::{NodeId, Symbol};
use crate::store::MAX_NODES;

impl Ranker {
    /// Returns the symbol of the same identity in this index, else that of the same kind and name in the same file whose line
    /// is nearest; `None` if there is none. The identity changes with the name of the repository, and is not the final one
    /// if the symbol is of a [`super::PartialIndex`], which has the node [`MAX_NODES`] and does not know the ordinal among equal
    /// names of a package.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn relocate(&self, known: &Symbol) -> Result<Option<Symbol>, EngineError> {
        if known.node != NodeId::new(MAX_NODES) {
            // Most symbols keep their node.
            if let Some(symbol) = self.reader.symbol(known.node)?.filter(|symbol| symbol.id == known.id) {
                return Ok(Some(symbol));
            }
            if let Some(node) = self.nodes_of(&BTreeSet::from([known.id]))?.first() {
                return Ok(self.reader.symbol(*node)?);
            }
        }
        let mut in_file = self.reader.symbols_of_file(&known.file)?;
        in_file.retain(|symbol| (symbol.kind, &symbol.scope, &symbol.name) == (known.kind, &known.scope, &known.name));
        Ok(in_file.into_iter().min_by_key(|symbol| symbol.span.name_line.abs_diff(known.span.name_line)))
    }
}
