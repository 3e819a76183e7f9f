//! What would be otherwise: a task's ranking without one class, or with one vote more, and what that moves. It is the same
//! ranking that users get, with other options; what the words of the task found is not looked for again.

use std::collections::HashMap;

use serde::Serialize;

use super::{EngineError, Ranker};
use crate::model::{Options, SymbolId, Task};
use crate::retrieve::Ranking;

/// One thing that is not as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A class, by its concept, or all of a layer or seed file, by its name.
    WithoutClass(String),
    /// A vote on a symbol for the task, in place of the present session's.
    Vote { symbol: SymbolId, useful: bool },
}

/// A symbol that stands elsewhere than it would.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Move {
    #[serde(skip)]
    pub node: u32,
    /// Without the repository.
    pub symbol: String,
    /// Places in the ranking, from 1; nothing when it is not ranked.
    pub before: Option<usize>,
    pub after: Option<usize>,
    pub score_before: f64,
    pub score_after: f64,
}

/// A symbol's place in the ranking that leaves one class out.
#[derive(Debug, Clone, PartialEq)]
pub struct WithoutClass {
    pub concept: String,
    /// From 1; none when it would not be ranked at all.
    pub place: Option<usize>,
    pub score: f64,
}

impl Ranker {
    /// The place that the symbol `node` would have without each of these classes; none when `cancelled` said so on the
    /// way.
    ///
    /// # Errors
    /// Those of [`Ranker::rank`].
    pub fn without_classes(
        &self,
        task: &Task,
        node: u32,
        concepts: &[String],
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<WithoutClass>>, EngineError> {
        let mut found = Vec::new();
        for concept in concepts {
            let change = Change::WithoutClass(concept.clone());
            let Some(ranking) = self.supposing(task, &change, cancelled)? else { return Ok(None) };
            let index = ranking.symbols.iter().position(|ranked| ranked.node == node);
            let score = index.map_or(0.0, |index| ranking.symbols[index].score);
            found.push(WithoutClass { concept: concept.clone(), place: index.map(|index| index + 1), score });
        }
        Ok(Some(found))
    }

    /// The ranking of `task` with one thing changed; `None` when `cancelled` said so on the way.
    ///
    /// # Errors
    /// Those of [`Ranker::rank`].
    pub fn supposing(
        &self,
        task: &Task,
        change: &Change,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Option<Ranking>, EngineError> {
        let Options { mut muted_concepts, mut hypothetical_votes, .. } = task.options.clone();
        match change {
            Change::WithoutClass(name) => drop(muted_concepts.insert(name.clone())),
            Change::Vote { symbol, useful } => drop(hypothetical_votes.insert(*symbol, *useful)),
        }
        let options = Options { muted_concepts, hypothetical_votes, ..task.options.clone() };
        self.rank(&Task { options, ..task.clone() }, cancelled)
    }

    /// The symbols among the first `most` of either ranking that stand elsewhere in the other, in the order of `after`; those
    /// that it does not have come last.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn moves(&self, before: &Ranking, after: &Ranking, most: usize) -> Result<Vec<Move>, EngineError> {
        let [old, new] = [before, after].map(places);
        let first =
            |ranking: &Ranking| ranking.symbols.iter().take(most).map(|ranked| ranked.node).collect::<Vec<u32>>();
        let mut nodes = first(after);
        nodes.extend(first(before).into_iter().filter(|node| new.get(node).is_none_or(|(place, _)| *place > most)));
        nodes.sort_by_key(|node| new.get(node).map_or(usize::MAX, |(place, _)| *place));
        let mut moves = Vec::new();
        for node in nodes {
            let (before, after) = (old.get(&node), new.get(&node));
            if before.map(|(place, _)| place) != after.map(|(place, _)| place) {
                moves.push(Move {
                    node,
                    symbol: self.name(node)?,
                    before: before.map(|(place, _)| *place),
                    after: after.map(|(place, _)| *place),
                    score_before: before.map_or(0.0, |(_, score)| *score),
                    score_after: after.map_or(0.0, |(_, score)| *score),
                });
            }
        }
        Ok(moves)
    }
}

/// Place, from 1, and score of every ranked symbol.
fn places(ranking: &Ranking) -> HashMap<u32, (usize, f64)> {
    let ranked = ranking.symbols.iter().enumerate();
    ranked.map(|(index, ranked)| (ranked.node, (index + 1, ranked.score))).collect()
}
