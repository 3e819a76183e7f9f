//! Changes of ranks from one ranking to the next.

use std::collections::HashMap;

use crate::model::{PackedSymbol, SymbolId};

/// The change of a symbol's rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delta {
    Same,
    /// By this many ranks.
    Up(usize),
    /// By this many ranks.
    Down(usize),
    /// It was not ranked before.
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
    let delta = |(packed, rank): (&PackedSymbol, &usize)| match before.get(&packed.symbol.id) {
        None => Delta::New,
        Some(old) if old > rank => Delta::Up(old - rank),
        Some(old) if old < rank => Delta::Down(rank - old),
        Some(_) => Delta::Same,
    };
    symbols.iter().zip(ranks).map(delta).collect()
}
