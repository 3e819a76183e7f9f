//! Tests of pinned and dropped symbols.

use std::collections::BTreeSet;

use knowing_analysis::model::{ContextPack, SymbolId};
use knowing_retrieval::rank::pack::{PackInput, pack};
use knowing_retrieval::render::{TokenCache, TokenCounter, gcf::Gcf};

use super::{SymbolSpec, pack_input, plain};

const BUDGET: usize = 700;

fn specs() -> Vec<SymbolSpec> {
    (0..60).map(|number| plain(number, 1.0 - number as f64 / 100.0)).collect()
}

fn packed(change: impl FnOnce(&mut PackInput)) -> ContextPack {
    let mut pack_input = pack_input(&specs(), &[(0, 1), (1, 2)], BUDGET);
    change(&mut pack_input);
    pack(pack_input, &TokenCounter::new(&Gcf, &TokenCache::default())).unwrap()
}

fn ids(pack: &ContextPack) -> Vec<SymbolId> {
    pack.symbols.iter().map(|packed| packed.symbol.id).collect()
}

#[test]
fn pinned_symbol_is_packed_at_its_rank() {
    let free = packed(|_| {});
    let last = free.omitted.last().unwrap().symbol.id;
    let pinned = packed(|pack_input| pack_input.pinned = BTreeSet::from([last]));
    assert!(!ids(&free).contains(&last) && ids(&pinned).contains(&last));
    assert!(pinned.tokens_used <= BUDGET);
    assert!(pinned.symbols.is_sorted_by(|one, two| one.score >= two.score), "packed symbols are not in rank order");
    assert!(ids(&free).iter().any(|id| !ids(&pinned).contains(id)), "no symbol was displaced");
}

#[test]
fn pins_beyond_the_budget_are_omitted() {
    let all: BTreeSet<SymbolId> = packed(|_| {}).omitted.iter().map(|packed| packed.symbol.id).collect();
    let pinned = packed(|pack_input| pack_input.pinned.clone_from(&all));
    assert!(pinned.tokens_used <= BUDGET);
    let first: Vec<SymbolId> = ids(&pinned).into_iter().filter(|id| all.contains(id)).collect();
    assert!(!first.is_empty() && first.len() < all.len());
}

#[test]
fn dropped_symbol_is_replaced_by_others() {
    let free = packed(|_| {});
    let best = free.symbols[0].symbol.id;
    let without = packed(|pack_input| pack_input.dropped = BTreeSet::from([best]));
    assert!(!ids(&without).contains(&best));
    assert_eq!(without.omitted[0].symbol.id, best, "a dropped symbol keeps its rank");
    assert!(ids(&without).iter().any(|id| !ids(&free).contains(id)));
}
