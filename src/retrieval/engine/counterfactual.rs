//! Counterfactuals: rankings without one concept or with one hypothetical vote, and their differences. They run the
//! same pipeline with other options and reuse the cached candidates.

use std::collections::HashMap;

use serde::Serialize;

use super::{EngineError, Ranker, Ranking};
use crate::model::{NodeId, Options, SymbolId, Task};

/// A hypothetical change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Mutes a concept, or all of a layer or seed file, by name.
    WithoutConcept(String),
    /// Votes on a symbol for the task, replacing a vote of the session.
    Vote { symbol: SymbolId, useful: bool },
}

/// A symbol whose rank differs between two rankings.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Move {
    #[serde(skip)]
    pub node: NodeId,
    /// Without the repository.
    pub symbol: String,
    /// Ranks from 1; `None` if it is not ranked.
    pub before: Option<usize>,
    pub after: Option<usize>,
    pub score_before: f64,
    pub score_after: f64,
}

impl Change {
    /// Returns the task with the change.
    pub fn apply(&self, task: &Task) -> Task {
        let mut changed = task.clone();
        let Options { muted_concepts, hypothetical_votes, .. } = &mut changed.options;
        match self {
            Change::WithoutConcept(name) => drop(muted_concepts.insert(name.clone())),
            Change::Vote { symbol, useful } => drop(hypothetical_votes.insert(*symbol, *useful)),
        }
        changed
    }
}

impl Ranker {
    /// Returns the symbols among the first `limit` of either ranking whose ranks differ, in the order of `after`; those
    /// that are not in it come last.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn moves(&self, before: &Ranking, after: &Ranking, limit: usize) -> Result<Vec<Move>, EngineError> {
        let [old, new] = [before, after].map(ranks);
        let first =
            |ranking: &Ranking| ranking.symbols.iter().take(limit).map(|ranked| ranked.node).collect::<Vec<NodeId>>();
        let mut nodes = first(after);
        nodes.extend(first(before).into_iter().filter(|node| new.get(node).is_none_or(|(rank, _)| *rank > limit)));
        nodes.sort_by_key(|node| new.get(node).map_or(usize::MAX, |(rank, _)| *rank));
        let mut moves = Vec::new();
        for node in nodes {
            let (before, after) = (old.get(&node), new.get(&node));
            if before.map(|(rank, _)| rank) != after.map(|(rank, _)| rank) {
                moves.push(Move {
                    node,
                    symbol: self.name(node)?,
                    before: before.map(|(rank, _)| *rank),
                    after: after.map(|(rank, _)| *rank),
                    score_before: before.map_or(0.0, |(_, score)| *score),
                    score_after: after.map_or(0.0, |(_, score)| *score),
                });
            }
        }
        Ok(moves)
    }
}

/// Returns the rank, from 1, and the score of every ranked symbol.
fn ranks(ranking: &Ranking) -> HashMap<NodeId, (usize, f64)> {
    let ranked = ranking.symbols.iter().enumerate();
    ranked.map(|(index, ranked)| (ranked.node, (index + 1, ranked.score))).collect()
}
