//! Packing: selection of the ranked symbols and edges that fit a token budget, a 0/1 knapsack.
//!
//! Symbols with a negative score are not packed, whatever the budget: the evidence against them outweighs the evidence
//! for them. Exceptions are a request without words, because no text is evidence for a symbol there, and symbols that
//! votes, learned terms or concepts of the repository lead to.
//! The best symbols first, then greedily by density, which for items that are small beside the budget is within a
//! factor of two of the optimum (Kellerer, Pferschy and Pisinger, "Knapsack Problems", 2004, section 2.1). Complexity:
//! `n log n` in candidates and in edges among them. A [`TokenMeasure`] counts the tokens of one output format; the
//! chosen pack is counted as a whole, so that it is within the budget even if the counts of single lines do not add up.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashSet};

use crate::model::{ContextPack, EdgeType, PackEdge, PackedSymbol, Repositories, SymbolId};

/// Share of the budget for the best symbols, independent of their density.
///
/// By density alone, the first symbols of a ranking are omitted if their score in the walk is low or their signature is
/// long.
const SHARE_BY_SCORE: f64 = 0.5;

/// Share of the budget reserved for edges, if there are any.
const EDGE_SHARE: f64 = 0.1;

/// Exponent of the walk's score in the density, linear in the share of external symbols: base, slope and bounds.
const PROXIMITY_BASE: f64 = 0.3;
const PROXIMITY_SLOPE: f64 = 0.2;
const PROXIMITY_BOUNDS: (f64, f64) = (0.3, 0.7);

/// Minimum score in the walk for the density, so that a symbol that the walk did not reach has a positive one.
const WALK_FLOOR: f64 = 1e-6;

/// A counter of the tokens of rendered text in one format. The indexes of edges refer to `pack.symbols`.
pub trait TokenMeasure {
    /// Returns an upper bound of the tokens of a pack without symbols and edges.
    fn frame(&self, pack: &ContextPack) -> usize;
    /// Returns the number of tokens that one symbol adds.
    fn symbol(&self, pack: &ContextPack, symbol: &PackedSymbol) -> usize;
    /// Returns the number of tokens that each symbol adds.
    fn symbols(&self, pack: &ContextPack) -> Vec<usize> {
        pack.symbols.iter().map(|symbol| self.symbol(pack, symbol)).collect()
    }
    /// Returns the number of tokens that one edge adds.
    fn edge(&self, pack: &ContextPack, edge: &PackEdge) -> usize;
    /// Returns the number of tokens of the whole text.
    fn whole(&self, pack: &ContextPack) -> usize;
}

/// A ranked symbol with its score in the walk, from 0 to 1.
#[derive(Debug, Clone)]
pub struct Candidate {
    pub symbol: PackedSymbol,
    pub walk: f64,
}

/// Input of packing.
#[derive(Debug, Clone, Default)]
pub struct PackInput {
    pub task: String,
    pub repository: String,
    pub repositories: Repositories,
    pub budget_tokens: usize,
    pub candidates: Vec<Candidate>,
    /// Edges among the candidates, as indexes in `candidates`.
    pub edges: Vec<PackEdge>,
    /// Candidates that are packed before all others, if they fit.
    pub pinned: BTreeSet<SymbolId>,
    /// Candidates that are never packed.
    pub dropped: BTreeSet<SymbolId>,
    /// Whether negative scores are packed as well.
    pub packs_negative: bool,
    /// Share of external symbols among the graph's symbols.
    pub external_ratio: f64,
}

/// The error of a budget that is too small for an empty pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a budget of {budget_tokens} tokens is too small: the smallest is {smallest_tokens}")]
pub struct BudgetTooSmall {
    pub budget_tokens: usize,
    pub smallest_tokens: usize,
}

/// Selects the pack. A symbol with a negative score is in it only if it is pinned, if votes, learned terms or
/// concepts of the repository lead to it, or if the input packs negative scores. The pack's symbols and the omitted ones are ordered by score.
///
/// # Errors
/// When the text of an empty pack exceeds the budget.
pub fn pack(mut input: PackInput, measure: &dyn TokenMeasure) -> Result<ContextPack, BudgetTooSmall> {
    let (pinned, dropped) = (std::mem::take(&mut input.pinned), std::mem::take(&mut input.dropped));
    let exponent =
        (PROXIMITY_BASE + PROXIMITY_SLOPE * input.external_ratio).clamp(PROXIMITY_BOUNDS.0, PROXIMITY_BOUNDS.1);
    let (mut all, walks) = ranked(input);
    let frame = measure.frame(&all);
    let costs = measure.symbols(&all);
    for (symbol, cost) in all.symbols.iter_mut().zip(&costs) {
        symbol.tokens = *cost;
    }
    let is_in = |ids: &BTreeSet<SymbolId>, index: usize| ids.contains(&all.symbols[index].symbol.id);
    let mut dense = by_density(&all, &walks, exponent);
    let mut by_score: Vec<usize> = (0..costs.len()).collect();
    let first: Vec<usize> = by_score.iter().copied().filter(|index| is_in(&pinned, *index)).collect();
    let is_excluded = |index: usize| is_in(&dropped, index) || all.excludes(&all.symbols[index]);
    dense.retain(|index| !is_excluded(*index));
    by_score.retain(|index| !is_excluded(*index));
    let mut tokens_left = all.budget_tokens.saturating_sub(frame);
    let reserved_for_edges = if all.edges.is_empty() { 0 } else { (tokens_left as f64 * EDGE_SHARE) as usize };

    let mut chosen = vec![false; costs.len()];
    tokens_left = choose_symbols(&first, &costs, tokens_left - reserved_for_edges, &mut chosen);
    let share = (tokens_left as f64 * SHARE_BY_SCORE) as usize;
    tokens_left = choose_symbols(&by_score, &costs, share, &mut chosen) + tokens_left - share;
    tokens_left = choose_symbols(&dense, &costs, tokens_left, &mut chosen) + reserved_for_edges;
    let (edges, tokens_left) = choose_edges(&all, &chosen, tokens_left, measure);
    // The tokens that the edges left may suffice for a small symbol.
    all.left_tokens = choose_symbols(&dense, &costs, tokens_left, &mut chosen);
    fit(assemble(all, &chosen, &edges), &pinned, measure)
}

/// Returns all candidates as one pack, ordered by rank, with the tokens of each.
pub fn ordered(input: PackInput, measure: &dyn TokenMeasure) -> ContextPack {
    let (mut all, _) = ranked(input);
    let costs = measure.symbols(&all);
    all.symbols.iter_mut().zip(costs).for_each(|(symbol, cost)| symbol.tokens = cost);
    all
}

/// Returns the pack of the symbols of [`ordered`] that are chosen, with the edges between them that fit `edge_tokens`.
pub fn select(all: ContextPack, chosen: &[bool], edge_tokens: usize, measure: &dyn TokenMeasure) -> ContextPack {
    let (edges, _) = choose_edges(&all, chosen, edge_tokens, measure);
    assemble(all, chosen, &edges)
}

/// Returns all candidates as one pack, ordered by rank, with the walk score of each.
fn ranked(input: PackInput) -> (ContextPack, Vec<f64>) {
    let mut order: Vec<usize> = (0..input.candidates.len()).collect();
    order.sort_by(|one, two| by_score(&input.candidates[*one].symbol, &input.candidates[*two].symbol));
    let mut ranks = vec![0; order.len()];
    for (rank, before) in order.iter().enumerate() {
        ranks[*before] = rank;
    }
    let edges =
        input.edges.iter().map(|edge| PackEdge { source: ranks[edge.source], target: ranks[edge.target], ..*edge });
    let mut candidates: Vec<(usize, Candidate)> = ranks.iter().copied().zip(input.candidates).collect();
    candidates.sort_by_key(|(rank, _)| *rank);
    let walks = candidates.iter().map(|(_, candidate)| candidate.walk).collect();
    let pack = ContextPack {
        task: input.task,
        repository: input.repository,
        repositories: input.repositories,
        edges: edges.collect(),
        symbols: candidates.into_iter().map(|(_, candidate)| candidate.symbol).collect(),
        budget_tokens: input.budget_tokens,
        packs_negative: input.packs_negative,
        ..ContextPack::default()
    };
    (pack, walks)
}

/// Orders by score, descending. The order is total, so that packs are reproducible.
pub fn by_score(one: &PackedSymbol, two: &PackedSymbol) -> Ordering {
    let (first, second) = (&one.symbol, &two.symbol);
    (two.score.total_cmp(&one.score))
        .then_with(|| first.qualified_name.cmp(&second.qualified_name))
        .then_with(|| (first.kind, first.ordinal, first.id).cmp(&(second.kind, second.ordinal, second.id)))
}

/// Returns the indexes of the symbols by density, the score per token, descending. Scores that may be negative count
/// from the lowest.
fn by_density(pack: &ContextPack, walks: &[f64], exponent: f64) -> Vec<usize> {
    let lowest = pack.symbols.last().map_or(0.0, |symbol| symbol.score.min(0.0));
    let base = if pack.packs_negative { lowest } else { 0.0 };
    let density: Vec<f64> = (pack.symbols.iter().zip(walks))
        .map(|(symbol, walk)| (symbol.score - base) / symbol.tokens.max(1) as f64 * walk.max(WALK_FLOOR).powf(exponent))
        .collect();
    let mut order: Vec<usize> = (0..density.len()).collect();
    order.sort_by(|one, two| density[*two].total_cmp(&density[*one]).then(one.cmp(two)));
    order
}

/// Chooses the symbols that fit, in the given order; returns the remaining tokens.
fn choose_symbols(order: &[usize], costs: &[usize], mut tokens_left: usize, chosen: &mut [bool]) -> usize {
    for &index in order {
        if !chosen[index] && costs[index] <= tokens_left {
            chosen[index] = true;
            tokens_left -= costs[index];
        }
    }
    tokens_left
}

/// Chooses the edges between chosen symbols that fit, most useful first; returns them and the remaining tokens.
fn choose_edges(
    pack: &ContextPack,
    chosen: &[bool],
    mut tokens_left: usize,
    measure: &dyn TokenMeasure,
) -> (Vec<PackEdge>, usize) {
    let known: HashSet<(usize, usize, EdgeType)> =
        pack.edges.iter().map(|edge| (edge.source, edge.target, edge.edge_type)).collect();
    let is_redundant = |edge: &PackEdge| {
        inverse(edge.edge_type).is_some_and(|inverse| known.contains(&(edge.target, edge.source, inverse)))
    };
    let mut edges: Vec<(f64, PackEdge)> = (pack.edges.iter())
        .filter(|edge| edge.source != edge.target && chosen[edge.source] && chosen[edge.target])
        .filter(|edge| !is_redundant(edge))
        .map(|edge| (usefulness(pack, edge), *edge))
        .collect();
    edges.sort_by(|(worth, one), (other, two)| {
        let key = |edge: &PackEdge| (edge.source, edge.target, edge.edge_type, edge.provenance);
        other.total_cmp(worth).then_with(|| key(one).cmp(&key(two)))
    });
    edges.dedup_by_key(|(_, edge)| (edge.source, edge.target, edge.edge_type));
    let mut fitting = Vec::new();
    for (_, edge) in edges {
        let cost = measure.edge(pack, &edge);
        if cost <= tokens_left {
            tokens_left -= cost;
            fitting.push(edge);
        }
    }
    (fitting, tokens_left)
}

/// Returns the inverse of an edge type.
fn inverse(edge_type: EdgeType) -> Option<EdgeType> {
    match edge_type {
        EdgeType::MemberOf => Some(EdgeType::Contains),
        EdgeType::TestedBy => Some(EdgeType::Tests),
        _ => None,
    }
}

/// Returns the value of an edge: its weight times the geometric mean of the scores of its endpoints.
fn usefulness(pack: &ContextPack, edge: &PackEdge) -> f64 {
    let ends = pack.symbols[edge.source].score.max(0.0) * pack.symbols[edge.target].score.max(0.0);
    edge.edge_type.walk_weight() * f64::from(edge.confidence) * ends.sqrt()
}

/// Splits the symbols into packed and omitted ones, and renumbers the endpoints of the edges.
fn assemble(all: ContextPack, chosen: &[bool], edges: &[PackEdge]) -> ContextPack {
    let mut indexes = vec![0; chosen.len()];
    let mut pack = ContextPack { symbols: Vec::new(), edges: Vec::new(), ..all };
    for (before, symbol) in all.symbols.into_iter().enumerate() {
        if chosen[before] {
            indexes[before] = pack.symbols.len();
            pack.symbols.push(symbol);
        } else {
            pack.omitted.push(symbol);
        }
    }
    pack.edges = (edges.iter())
        .map(|edge| PackEdge { source: indexes[edge.source], target: indexes[edge.target], ..*edge })
        .collect();
    pack
}

/// Counts the whole text and removes from the end until it fits: edges first, then symbols, pinned ones last.
fn fit(
    mut pack: ContextPack,
    pinned: &BTreeSet<SymbolId>,
    measure: &dyn TokenMeasure,
) -> Result<ContextPack, BudgetTooSmall> {
    pack.tokens_used = pack.budget_tokens;
    loop {
        count_tokens(&mut pack, measure);
        let mut excess = pack.tokens_used.saturating_sub(pack.budget_tokens);
        if excess == 0 {
            return Ok(pack);
        }
        if pack.symbols.is_empty() {
            return Err(smallest(pack, measure));
        }
        while excess > 0 {
            let Some(edge) = pack.edges.pop() else { break };
            excess = excess.saturating_sub(measure.edge(&pack, &edge));
        }
        while excess > 0 {
            let free = pack.symbols.iter().rposition(|symbol| !pinned.contains(&symbol.symbol.id));
            let Some(last) = free.or(pack.symbols.len().checked_sub(1)) else { break };
            // No edges remain whose endpoints would change.
            let symbol = pack.symbols.remove(last);
            // The counts of single lines did not add up, so no tokens were left.
            pack.left_tokens = 0;
            excess = excess.saturating_sub(symbol.tokens.max(1));
            let index = pack.omitted.partition_point(|other| by_score(other, &symbol) == Ordering::Less);
            pack.omitted.insert(index, symbol);
        }
    }
}

/// Counts the tokens of the text, which contains its own count. Repeats until the count has the same number of groups
/// of three digits, which is what its tokens depend on.
fn count_tokens(pack: &mut ContextPack, measure: &dyn TokenMeasure) {
    let groups = |number: usize| number.to_string().len().div_ceil(3);
    loop {
        let used = measure.whole(pack);
        let is_stable = groups(used) == groups(pack.tokens_used);
        pack.tokens_used = used;
        if is_stable {
            return;
        }
    }
}

fn smallest(mut pack: ContextPack, measure: &dyn TokenMeasure) -> BudgetTooSmall {
    let budget_tokens = pack.budget_tokens;
    // The text contains the budget, and a larger number may have more tokens.
    while pack.tokens_used > pack.budget_tokens {
        pack.budget_tokens = pack.tokens_used;
        count_tokens(&mut pack, measure);
    }
    BudgetTooSmall { budget_tokens, smallest_tokens: pack.budget_tokens }
}
