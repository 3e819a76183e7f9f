//! A symbol that somebody remembers, found again in another state of the index.

use std::collections::BTreeSet;

use super::{EngineError, Ranker};
use crate::model::Symbol;
use crate::store::MAX_NODES;

impl Ranker {
    /// The symbol of this identity as the index has it now; none when it is gone. What a [`super::Sketch`] gave is found
    /// where it stood: which of several equals in a Go package it is, the sketch could not know.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn again(&self, known: &Symbol) -> Result<Option<Symbol>, EngineError> {
        if known.node == MAX_NODES {
            let mut there = self.reader.symbols_of_file(&known.file)?;
            there
                .retain(|symbol| (symbol.kind, &symbol.scope, &symbol.name) == (known.kind, &known.scope, &known.name));
            return Ok(there.into_iter().min_by_key(|symbol| symbol.span.name_line.abs_diff(known.span.name_line)));
        }
        // Most symbols keep their number.
        if let Some(symbol) = self.reader.symbol(known.node)?.filter(|symbol| symbol.id == known.id) {
            return Ok(Some(symbol));
        }
        match self.nodes_of(&BTreeSet::from([known.id]))?.first() {
            Some(node) => Ok(self.reader.symbol(*node)?),
            None => Ok(None),
        }
    }
}
