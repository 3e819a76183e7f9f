//! Changes of ranks from one ranking to the next.

use std::collections::HashMap;

use crate::model::{PackedSymbol, SymbolId};

/// The change of a symbol's rank by more than one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delta {
    Same,
    /// By this many ranks.
    Up(usize),
    /// By this many ranks.
    Down(usize),
    /// It is packed and was not ranked before.
    New,
}

/// At least one in this many packed symbols must be in the previous ranking; else the tasks are unrelated and nearly
/// every symbol would be new.
const MIN_KNOWN: usize = 3;

/// Returns the change of every rank since the previous ranking.
pub fn deltas(
    symbols: &[PackedSymbol],
    ranks: &[usize],
    packed: usize,
    before: &HashMap<SymbolId, usize>,
) -> Vec<Delta> {
    let known = symbols[..packed].iter().filter(|packed| before.contains_key(&packed.symbol.id)).count();
    if known * MIN_KNOWN < packed.max(1) {
        return vec![Delta::Same; symbols.len()];
    }
    let delta = |(index, (symbol, rank)): (usize, (&PackedSymbol, &usize))| match before.get(&symbol.symbol.id) {
        None if index < packed => Delta::New,
        // A single rank is lost by every row below one that rose.
        Some(old) if *old > rank + 1 => Delta::Up(old - rank),
        Some(old) if old + 1 < *rank => Delta::Down(rank - old),
        _ => Delta::Same,
    };
    symbols.iter().zip(ranks).enumerate().map(delta).collect()
}
