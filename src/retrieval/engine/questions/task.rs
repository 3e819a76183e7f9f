//! Tasks that are structural questions: the answer replaces the ranking.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use crate::engine::pipeline::Ranked;
use crate::engine::{EngineError, Ranker, Ranking};
use crate::model::{Answer, AnswerRow, Component, NodeId, Question, Symbol, SymbolId};
use crate::query::question;
use crate::rank::tuning;
use crate::render::question::{heading, relation};

/// Limit of the symbols of an answer that take part in a ranking; more than a pack has candidates.
const MAX_RANKED: usize = 1_000;

/// The component of a symbol's score that is its rank in the answer.
const COMPONENT: &str = "answer";

impl Ranker {
    /// Returns the question that a task is; `None` if it is none, or a name in it is unknown or ambiguous.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn question_of(&self, task: &str) -> Result<Option<Question>, EngineError> {
        let Some(question) = question(task) else { return Ok(None) };
        match self.questions()?.ask(&question, 1) {
            Err(EngineError::Name(_)) => Ok(None),
            answer => answer.map(|_| Some(question)),
        }
    }

    /// Replaces the symbols of a ranking by the answer, if the task is a question about symbols of this index. A question
    /// with a name that is unknown or ambiguous is ranked like any other task.
    pub(in crate::engine) fn answer_task(&self, task: &str, ranking: &mut Ranking) -> Result<(), EngineError> {
        let Some(question) = question(task) else { return Ok(()) };
        let answer = match self.questions()?.ask(&question, MAX_RANKED) {
            Err(EngineError::Name(_)) => return Ok(()),
            answer => answer?,
        };
        let mut known = HashSet::new();
        let subjects = answer.subjects.iter().take(1).map(|subject| (subject, 0));
        let rows = answer.rows.iter().map(|row| (&row.symbol, row.distance));
        let inside = subjects.chain(rows).filter(|(symbol, _)| !symbol.file.is_empty());
        let nodes: Vec<(NodeId, u32)> =
            inside.map(|(symbol, distance)| (symbol.node, distance)).filter(|(node, _)| known.insert(*node)).collect();
        ranking.symbols = (nodes.into_iter().enumerate())
            .map(|(rank, (node, distance))| {
                let value = tuning::RECIPROCAL_RANK_K / (tuning::RECIPROCAL_RANK_K + rank as f64);
                Ranked {
                    node,
                    score: value,
                    components: vec![Component { name: COMPONENT, value, contribution: value }],
                    distance,
                    walk: ranking.walk.get(node).map_or(0.0, |walked| walked.score),
                    provenance: COMPONENT,
                }
            })
            .collect();
        ranking.answer = Some(Arc::new(answer));
        Ok(())
    }
}

/// Returns the relation of each symbol of an answer to its subject, in a few letters: `calls:12`, or the number of steps.
pub(in crate::engine) fn relations(answer: &Answer) -> BTreeMap<SymbolId, String> {
    let rows = answer.rows.iter().map(|row| (row.symbol.id, short_relation(row)));
    let subjects = answer.subjects.iter().map(|subject| (subject.id, "subject".to_owned()));
    subjects.chain(rows).collect()
}

fn short_relation(row: &AnswerRow) -> String {
    let uncertain = if row.is_certain { "" } else { "?" };
    match (row.path.as_slice(), row.line) {
        ([], _) => "changed".to_owned(),
        ([step], None) => format!("{}{uncertain}", step.phrase()),
        ([step], Some(line)) => format!("{}:{line}{uncertain}", step.phrase()),
        _ => match row.distance {
            1 => format!("1 step{uncertain}"),
            distance => format!("{distance} steps{uncertain}"),
        },
    }
}

/// Returns a symbol's part in an answer, such as `callers of App.run: calls, line 12`.
pub(in crate::engine) fn part(answer: &Answer, symbol: &Symbol) -> String {
    let title = answer.question.title();
    let row = answer.rows.iter().find(|row| row.symbol.id == symbol.id);
    match row {
        Some(row) => format!("{title}: {}", relation(answer, row)),
        None if answer.subjects.iter().any(|subject| subject.id == symbol.id) => heading(answer),
        None => format!("{title}: not among them"),
    }
}
