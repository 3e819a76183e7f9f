//! What a ranking would be, had it been asked otherwise: ranked anew, so that nothing is guessed.

use super::{EngineError, Ranker};
use crate::model::{Options, Task};

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
    /// way. Each class costs one ranking.
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
        let mut places = Vec::new();
        for concept in concepts {
            let mut muted_classes = task.options.muted_classes.clone();
            muted_classes.insert(concept.clone());
            let options = Options { muted_classes, ..task.options.clone() };
            let task = Task { options, ..task.clone() };
            let Some(ranking) = self.rank(&task, cancelled)? else { return Ok(None) };
            let index = ranking.symbols.iter().position(|ranked| ranked.node == node);
            let score = index.map_or(0.0, |index| ranking.symbols[index].score);
            places.push(WithoutClass { concept: concept.clone(), place: index.map(|index| index + 1), score });
        }
        Ok(Some(places))
    }
}
