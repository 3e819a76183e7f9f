//! How places change from one ranking to the next.

use std::collections::HashMap;

use crate::model::{PackedSymbol, SymbolId};

/// How a symbol's place changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delta {
    Same,
    /// By so many places.
    Up(usize),
    Down(usize),
    /// It was not ranked before.
    New,
}

/// One in so many packed symbols must have been ranked before for the two rankings to be worth comparing: of a wholly
/// different task everything would be new.
const KNOWN_OF: usize = 3;

/// The change of every place against a ranking before.
pub fn deltas(
    symbols: &[PackedSymbol],
    ranks: &[usize],
    packed: usize,
    before: &HashMap<SymbolId, usize>,
) -> Vec<Delta> {
    let known = symbols[..packed].iter().filter(|packed| before.contains_key(&packed.symbol.id)).count();
    if known * KNOWN_OF < packed.max(1) {
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
