//! Which ranked symbols and which of their edges fit a token budget (SPEC §6.6).
//!
//! The best symbols first, then greedy by density, which is within a factor of two of the best choice for a knapsack whose items are small beside it.
//! Complexity: `n log n` in candidates and in edges among them. What a text costs is asked of [`Measure`], since only a
//! format knows; the chosen pack is measured whole before it is given out, so that the budget holds whatever the
//! estimates of its parts were.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashSet};

use crate::model::{ContextPack, EdgeType, PackEdge, PackedSymbol, SymbolId};

/// Share of the budget that goes to the best symbols whatever they cost, before density decides.
///
/// Density alone (SPEC §6.6) drops the very first symbols of a ranking when the walk hardly reached them or their
/// signature is long, and a pack without its best symbol answers another question.
const SHARE_BY_SCORE: f64 = 0.5;

/// Share of the budget that symbols leave to the edges among them while there are edges to show.
const EDGE_SHARE: f64 = 0.1;

/// Exponent of the walk in the density, by the share of candidates outside the repository: base, slope and bounds.
const PROXIMITY_BASE: f64 = 0.3;
const PROXIMITY_SLOPE: f64 = 0.2;
const PROXIMITY_BOUNDS: (f64, f64) = (0.3, 0.7);

/// Stands for a walk that never reached the symbol, so that its density stays comparable.
const WALK_FLOOR: f64 = 1e-6;

/// Tokens of rendered text, in one format. Positions in edges refer to `pack.symbols`.
pub trait Measure {
    /// Tokens of the text around the symbols and edges, at its largest.
    fn frame(&self, pack: &ContextPack) -> usize;
    /// Tokens that one symbol adds.
    fn symbol(&self, pack: &ContextPack, symbol: &PackedSymbol) -> usize;
    /// Tokens that one edge adds.
    fn edge(&self, pack: &ContextPack, edge: &PackEdge) -> usize;
    /// Tokens of the whole text.
    fn whole(&self, pack: &ContextPack) -> usize;
}

/// A ranked symbol and how much of the walk reached it, between 0 and 1.
#[derive(Debug, Clone)]
pub struct Candidate {
    pub symbol: PackedSymbol,
    pub walk: f64,
}

/// What a pack is chosen from.
#[derive(Debug, Clone, Default)]
pub struct Offer {
    pub task: String,
    pub repository: String,
    pub budget_tokens: usize,
    pub candidates: Vec<Candidate>,
    /// Edges among the candidates, by their places in `candidates`.
    pub edges: Vec<PackEdge>,
    /// Candidates that come before all others, as far as they fit.
    pub pinned: BTreeSet<SymbolId>,
    /// Candidates that are never chosen.
    pub dropped: BTreeSet<SymbolId>,
    /// Share of the graph's symbols that lie outside the repository.
    pub phantom_ratio: f64,
}

/// Not even a pack without symbols fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a budget of {budget_tokens} tokens is too small: the smallest is {smallest_tokens}")]
pub struct BudgetTooSmall {
    pub budget_tokens: usize,
    pub smallest_tokens: usize,
}

/// Chooses the pack. Its symbols and those it omits come in the order of their scores.
///
/// # Errors
/// When an empty pack's text is larger than the budget.
pub fn pack(mut offer: Offer, measure: &dyn Measure) -> Result<ContextPack, BudgetTooSmall> {
    let (pinned, dropped) = (std::mem::take(&mut offer.pinned), std::mem::take(&mut offer.dropped));
    let exponent =
        (PROXIMITY_BASE + PROXIMITY_SLOPE * offer.phantom_ratio).clamp(PROXIMITY_BOUNDS.0, PROXIMITY_BOUNDS.1);
    let (mut all, walks) = ranked(offer);
    let frame = measure.frame(&all);
    let costs: Vec<usize> = all.symbols.iter().map(|symbol| measure.symbol(&all, symbol)).collect();
    for (symbol, cost) in all.symbols.iter_mut().zip(&costs) {
        symbol.tokens = *cost;
    }
    let is_in = |ids: &BTreeSet<SymbolId>, place: usize| ids.contains(&all.symbols[place].symbol.id);
    let mut dense = by_density(&all, &walks, exponent);
    let mut by_score: Vec<usize> = (0..costs.len()).collect();
    dense.retain(|place| !is_in(&dropped, *place));
    by_score.retain(|place| !is_in(&dropped, *place));
    let first: Vec<usize> = by_score.iter().copied().filter(|place| is_in(&pinned, *place)).collect();
    let mut room = all.budget_tokens.saturating_sub(frame);
    let kept_for_edges = if all.edges.is_empty() { 0 } else { (room as f64 * EDGE_SHARE) as usize };

    let mut chosen = vec![false; costs.len()];
    room = choose_symbols(&first, &costs, room - kept_for_edges, &mut chosen);
    let share = (room as f64 * SHARE_BY_SCORE) as usize;
    room = choose_symbols(&by_score, &costs, share, &mut chosen) + room - share;
    room = choose_symbols(&dense, &costs, room, &mut chosen) + kept_for_edges;
    let (edges, room) = choose_edges(&all, &chosen, room, measure);
    // What the edges left may still hold a small symbol.
    all.left_tokens = choose_symbols(&dense, &costs, room, &mut chosen);
    fit(assemble(all, &chosen, &edges), &pinned, measure)
}

/// All candidates as one pack in rank order, with the walk of each.
fn ranked(offer: Offer) -> (ContextPack, Vec<f64>) {
    let mut order: Vec<usize> = (0..offer.candidates.len()).collect();
    order.sort_by(|one, two| by_score(&offer.candidates[*one].symbol, &offer.candidates[*two].symbol));
    let mut place = vec![0; order.len()];
    for (rank, before) in order.iter().enumerate() {
        place[*before] = rank;
    }
    let edges =
        offer.edges.iter().map(|edge| PackEdge { source: place[edge.source], target: place[edge.target], ..*edge });
    let mut candidates: Vec<(usize, Candidate)> = place.iter().copied().zip(offer.candidates).collect();
    candidates.sort_by_key(|(rank, _)| *rank);
    let walks = candidates.iter().map(|(_, candidate)| candidate.walk).collect();
    let pack = ContextPack {
        task: offer.task,
        repository: offer.repository,
        edges: edges.collect(),
        symbols: candidates.into_iter().map(|(_, candidate)| candidate.symbol).collect(),
        budget_tokens: offer.budget_tokens,
        ..ContextPack::default()
    };
    (pack, walks)
}

/// Best score first; a total order, so that equal scores give the same pack every time.
fn by_score(one: &PackedSymbol, two: &PackedSymbol) -> Ordering {
    let (first, second) = (&one.symbol, &two.symbol);
    (two.score.total_cmp(&one.score))
        .then_with(|| first.qualified_name.cmp(&second.qualified_name))
        .then_with(|| (first.kind, first.ordinal, first.id).cmp(&(second.kind, second.ordinal, second.id)))
}

/// Places of the symbols, the one with the most score for its tokens first.
fn by_density(pack: &ContextPack, walks: &[f64], exponent: f64) -> Vec<usize> {
    let density: Vec<f64> = (pack.symbols.iter().zip(walks))
        .map(|(symbol, walk)| symbol.score / symbol.tokens.max(1) as f64 * walk.max(WALK_FLOOR).powf(exponent))
        .collect();
    let mut order: Vec<usize> = (0..density.len()).collect();
    order.sort_by(|one, two| density[*two].total_cmp(&density[*one]).then(one.cmp(two)));
    order
}

/// Takes what fits, in the given order, and says how much room is left.
fn choose_symbols(order: &[usize], costs: &[usize], mut room: usize, chosen: &mut [bool]) -> usize {
    for &place in order {
        if !chosen[place] && costs[place] <= room {
            chosen[place] = true;
            room -= costs[place];
        }
    }
    room
}

/// The edges between chosen symbols that fit, most useful first, and the room left.
fn choose_edges(pack: &ContextPack, chosen: &[bool], mut room: usize, measure: &dyn Measure) -> (Vec<PackEdge>, usize) {
    let known: HashSet<(usize, usize, EdgeType)> =
        pack.edges.iter().map(|edge| (edge.source, edge.target, edge.edge_type)).collect();
    let says_nothing_new =
        |edge: &PackEdge| twin(edge.edge_type).is_some_and(|twin| known.contains(&(edge.target, edge.source, twin)));
    let mut edges: Vec<(f64, PackEdge)> = (pack.edges.iter())
        .filter(|edge| edge.source != edge.target && chosen[edge.source] && chosen[edge.target])
        .filter(|edge| !says_nothing_new(edge))
        .map(|edge| (usefulness(pack, edge), *edge))
        .collect();
    edges.sort_by(|(worth, one), (other, two)| {
        let key = |edge: &PackEdge| (edge.source, edge.target, edge.edge_type, edge.provenance);
        other.total_cmp(worth).then_with(|| key(one).cmp(&key(two)))
    });
    edges.dedup_by_key(|(_, edge)| (edge.source, edge.target, edge.edge_type));
    let mut taken = Vec::new();
    for (_, edge) in edges {
        let cost = measure.edge(pack, &edge);
        if cost <= room {
            room -= cost;
            taken.push(edge);
        }
    }
    (taken, room)
}

/// The type whose edge in the other direction says the same.
fn twin(edge_type: EdgeType) -> Option<EdgeType> {
    match edge_type {
        EdgeType::MemberOf => Some(EdgeType::Contains),
        EdgeType::TestedBy => Some(EdgeType::Tests),
        _ => None,
    }
}

/// A strong relation between two symbols that matter is worth more than a weak one, or one between lesser symbols.
fn usefulness(pack: &ContextPack, edge: &PackEdge) -> f64 {
    let ends = pack.symbols[edge.source].score.max(0.0) * pack.symbols[edge.target].score.max(0.0);
    edge.edge_type.walk_weight() * f64::from(edge.confidence) * ends.sqrt()
}

/// Splits the symbols into packed and omitted, and points the edges at the packed ones.
fn assemble(all: ContextPack, chosen: &[bool], edges: &[PackEdge]) -> ContextPack {
    let mut place = vec![0; chosen.len()];
    let mut pack = ContextPack { symbols: Vec::new(), edges: Vec::new(), ..all };
    for (before, symbol) in all.symbols.into_iter().enumerate() {
        if chosen[before] {
            place[before] = pack.symbols.len();
            pack.symbols.push(symbol);
        } else {
            pack.omitted.push(symbol);
        }
    }
    pack.edges = (edges.iter())
        .map(|edge| PackEdge { source: place[edge.source], target: place[edge.target], ..*edge })
        .collect();
    pack
}

/// Measures the whole text and cuts from the end until it fits: edges first, then symbols, pinned ones last.
fn fit(
    mut pack: ContextPack,
    pinned: &BTreeSet<SymbolId>,
    measure: &dyn Measure,
) -> Result<ContextPack, BudgetTooSmall> {
    pack.tokens_used = pack.budget_tokens;
    loop {
        settle(&mut pack, measure);
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
            // No edge is left that could point past it.
            let symbol = pack.symbols.remove(last);
            // The parts cost less than the whole, so there was never any room.
            pack.left_tokens = 0;
            excess = excess.saturating_sub(symbol.tokens.max(1));
            let at = pack.omitted.partition_point(|other| by_score(other, &symbol) == Ordering::Less);
            pack.omitted.insert(at, symbol);
        }
    }
}

/// Counts the text, which holds its own count: numbers of equally many groups of three digits cost the same.
fn settle(pack: &mut ContextPack, measure: &dyn Measure) {
    let groups = |number: usize| number.to_string().len().div_ceil(3);
    loop {
        let used = measure.whole(pack);
        let settled = groups(used) == groups(pack.tokens_used);
        pack.tokens_used = used;
        if settled {
            return;
        }
    }
}

fn smallest(mut pack: ContextPack, measure: &dyn Measure) -> BudgetTooSmall {
    let budget_tokens = pack.budget_tokens;
    // The budget is part of the text too; a larger one may cost one token more.
    while pack.tokens_used > pack.budget_tokens {
        pack.budget_tokens = pack.tokens_used;
        settle(&mut pack, measure);
    }
    BudgetTooSmall { budget_tokens, smallest_tokens: pack.budget_tokens }
}
