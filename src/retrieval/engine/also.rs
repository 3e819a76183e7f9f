//! The section *also to change*: neighbors of the first symbols of a list that likely change with them and can't be ranked by
//! text. They use the symbol, override or implement it, are a part of it, or test it.
//!
//! An edge counts more the better the symbol that it leads to, the fewer others of its kind that symbol has, the more often
//! the files of both changed together, and the better the neighbor ranks itself. Of what a real change touches beyond the first
//! places, a fourth is a neighbor of them, but only one neighbor in some hundred is touched: the section is short.

use std::collections::{HashMap, HashSet};

use super::packing::PackPart;
use super::reason::{FirstRanks, class};
use super::registered::{Registration, registrations};
use super::{EngineError, Ranker};
use crate::graph::adjacency::{Neighbor, Neighborhoods};
use crate::model::{Also, EdgeType, NodeId, Symbol, SymbolId, SymbolKind, Task};

/// Number of symbols whose neighbors are considered.
const FIRST: usize = 5;
/// Share of the worth of an edge for a test.
const TEST_SHARE: f64 = 0.2;
/// Confidence below which an edge leads to nothing.
const MIN_CONFIDENCE: f32 = 0.5;
/// Commits of a file that are looked at, the number from which a share of them says something, and the number that a reason
/// mentions.
const COMMITS: usize = 100;
const FEW_COMMITS: f64 = 3.0;
const MENTIONED_COMMITS: u32 = 3;
/// Worth of a neighbor whose file never changed together with the symbol's.
const NEVER_TOGETHER: f64 = 0.3;
/// Gain of the best ranked neighbor, and the rank at which the gain has fallen to a half.
const RANK_GAIN: f64 = 16.0;
const HALF_RANK: f64 = 5.0;

/// A neighbor of the first symbols.
struct Found {
    /// Index of the part.
    part: usize,
    node: NodeId,
    worth: f64,
    /// Commits that changed its file and that of a first symbol.
    commits: u32,
}

/// Returns the symbols that likely change with the first of a list, the likeliest first; before them, for a task that adds
/// something, where its siblings are registered. `first` are the symbols of the list with their ranks from 1; `known` are those
/// that are not returned, unless they are registrations.
///
/// # Errors
/// When a store can't be read.
pub fn also(
    task: &Task,
    parts: &[PackPart<'_>],
    first: &[(usize, &Symbol)],
    known: &HashSet<SymbolId>,
    limit: usize,
) -> Result<Vec<Also>, EngineError> {
    let mut chosen = Vec::new();
    for part in parts {
        for Registration { node, reason, .. } in registrations(task, part)? {
            let symbol = part.ranker.reader().symbol(node)?;
            let is_wanted = |symbol: &Symbol| !task.options.dropped.contains(&symbol.id);
            chosen.extend(symbol.filter(is_wanted).map(|symbol| Also { symbol, reason }));
        }
    }
    chosen.truncate(limit);
    let mut all: Vec<Found> = Vec::new();
    // The numbers of nodes are those of one repository.
    let is_of = |part: &PackPart<'_>, symbol: &Symbol| {
        parts.len() == 1 || part.ranker.reader().repository() == symbol.repository()
    };
    for (index, part) in parts.iter().enumerate() {
        let own = first.iter().take(FIRST).filter(|(_, symbol)| is_of(part, symbol)).copied();
        all.extend(neighbors(part, index, &own.collect::<Vec<_>>())?);
    }
    let prefix = |found: &Found| parts[found.part].ranker.graph().id_prefix(found.node);
    all.sort_by(|one, other| other.worth.total_cmp(&one.worth).then_with(|| prefix(one).cmp(&prefix(other))));
    for found in all {
        if chosen.len() >= limit {
            break;
        }
        let part = &parts[found.part];
        let Some(symbol) = part.ranker.reader().symbol(found.node)?.filter(|symbol| !known.contains(&symbol.id)) else {
            continue;
        };
        if chosen.iter().any(|other: &Also| other.symbol.id == symbol.id) {
            continue;
        }
        let own = first.iter().filter(|(_, symbol)| is_of(part, symbol));
        let ranks = FirstRanks::new(own.map(|(rank, symbol)| (symbol.node, *rank)));
        let Some(mut reason) = part.ranker.reasons(part.ranking, "", ranks).relation_in_short(found.node)? else {
            continue;
        };
        if found.commits >= MENTIONED_COMMITS {
            reason.push_str(&format!("; {} commits changed both files", found.commits));
        }
        chosen.push(Also { symbol, reason });
    }
    Ok(chosen)
}

/// Returns the neighbors of the first symbols of one repository.
fn neighbors(part: &PackPart<'_>, index: usize, first: &[(usize, &Symbol)]) -> Result<Vec<Found>, EngineError> {
    let ranker = part.ranker;
    let (graph, reader) = (ranker.graph(), ranker.reader());
    let ranks: HashMap<NodeId, usize> = part.ranking.symbols.iter().map(|one| one.node).zip(0..).collect();
    let mut together: HashMap<&str, (f64, HashMap<String, u32>)> = HashMap::new();
    let mut all: HashMap<NodeId, Found> = HashMap::new();
    for (order, (_, symbol)) in first.iter().enumerate() {
        if !together.contains_key(symbol.file.as_str()) {
            let files = reader.files_changed_with(&symbol.file, COMMITS)?;
            let own = files.get(&symbol.file).copied().unwrap_or(0);
            together.insert(&symbol.file, (f64::from(own).max(FEW_COMMITS), files));
        }
        let (own, files) = &together[symbol.file.as_str()];
        let edges: Vec<&Neighbor> = wanted(ranker, symbol.node).collect();
        let mut alike: HashMap<(EdgeType, bool), u32> = HashMap::new();
        edges.iter().for_each(|edge| *alike.entry((edge.edge_type, edge.is_outgoing())).or_default() += 1);
        for edge in edges {
            let path = graph.path(edge.node).unwrap_or_default();
            let is_same_file = path == symbol.file;
            let commits = if is_same_file { 0 } else { files.get(path).copied().unwrap_or(0) };
            let share = if is_same_file { 1.0 } else { f64::from(commits) / own };
            let gain = ranks.get(&edge.node).map_or(0.0, |rank| RANK_GAIN * HALF_RANK / (HALF_RANK + *rank as f64));
            let others = f64::from(alike.get(&(edge.edge_type, edge.is_outgoing())).copied().unwrap_or(1));
            let worth = worth(ranker, edge) / (1.0 + order as f64) / (2.0 + others).sqrt()
                * (NEVER_TOGETHER + share)
                * (1.0 + gain);
            let found = all.entry(edge.node).or_insert(Found { part: index, node: edge.node, worth: 0.0, commits: 0 });
            found.worth += worth;
            found.commits = found.commits.max(commits);
        }
    }
    Ok(all.into_values().collect())
}

/// Returns the worth of an edge of one of the first symbols: who calls it changes with it more often than what it calls, and
/// a field that it accesses hardly ever.
fn worth(ranker: &Ranker, edge: &Neighbor) -> f64 {
    use EdgeType::{
        AccessesField, Contains, Extends, HandlesRoute, Implements, ImplementsRpc, Overrides, References, Tests,
    };
    let of_type = match (edge.edge_type, edge.is_outgoing()) {
        (Overrides | Implements | ImplementsRpc | Extends | HandlesRoute, _) => 3.0,
        (edge, false) if edge.is_call() => 3.0,
        (References | Contains, true) => 2.0,
        (AccessesField, true) => 0.5,
        (Tests | Contains, _) | (_, true) => 1.0,
        (_, false) => 1.5,
    };
    let is_test = ranker.graph().meta(edge.node).is_some_and(|meta| meta.is_test);
    if is_test { of_type * TEST_SHARE } else { of_type }
}

/// Returns the edges of a symbol that lead to what may change with it.
fn wanted(ranker: &Ranker, node: NodeId) -> impl Iterator<Item = &Neighbor> {
    let graph = ranker.graph();
    graph.neighbors(node).filter(move |edge| {
        let is_definition = graph.meta(edge.node).is_some_and(|meta| {
            meta.file.is_some() && !matches!(meta.kind, SymbolKind::File | SymbolKind::Package | SymbolKind::External)
        });
        edge.node != node && is_definition && class(edge.edge_type).is_some() && edge.confidence() >= MIN_CONFIDENCE
    })
}
