//! What an evaluation found, task by task: the numbers, and enough of each ranking to explain a change later.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::matcher::Matcher;
use super::metrics::Metrics;
use super::summary::{Group, summary};
use crate::model::Intent;
use crate::render::json;

/// Which list of symbols was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Results {
    /// The pack of this many tokens, in rank order.
    Packed { budget_tokens: usize },
    /// The ranking that packs are made from, whole.
    Ranked,
}

impl Results {
    /// What was measured, in words.
    pub fn describe(self) -> String {
        match self {
            Results::Packed { budget_tokens } => format!("symbols packed into {budget_tokens} tokens, in rank order"),
            Results::Ranked => "the whole ranking, before packing".to_owned(),
        }
    }
}

/// A symbol in a task's ranking.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Placed {
    pub name: String,
    /// In the whole ranking, from 1.
    pub place: usize,
    /// False when the budget left it out.
    pub is_result: bool,
    pub score: f64,
    /// Contributions to the score, by component.
    pub components: BTreeMap<String, f64>,
}

/// What one task gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    pub repository: String,
    pub id: String,
    pub kind: Intent,
    pub tier: String,
    pub task: String,
    pub ground_truth: Vec<String>,
    /// Why there is no answer; all metrics are then zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    pub dotted: Metrics,
    pub strict: Metrics,
    /// Names of the measured symbols, best first.
    pub results: Vec<String>,
    /// The top of the ranking, and for each entry of the ground truth the best symbol that is strictly it.
    pub traces: Vec<Placed>,
}

impl Outcome {
    /// The metrics under one rule.
    pub fn metrics(&self, matcher: Matcher) -> Metrics {
        match matcher {
            Matcher::Dotted => self.dotted,
            Matcher::Strict => self.strict,
        }
    }
}

/// One evaluation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Version of the program.
    pub version: String,
    pub results: Results,
    /// What ranked: the preset, and what was left out of it.
    #[serde(default)]
    pub ranked_by: String,
    /// In the order of the task files.
    pub tasks: Vec<Outcome>,
}

/// Why a saved run can't be read.
#[derive(Debug, thiserror::Error)]
#[error("{0}; save one with `knowing eval … --save FILE`")]
pub struct RunError(#[from] serde_json::Error);

#[derive(Serialize)]
struct Head<'a> {
    version: &'a str,
    results: Results,
    ranked_by: &'a str,
    summary: Vec<Group>,
}

impl Run {
    /// JSON with one task to a line, so that two runs can also be compared line by line. The summary is for readers;
    /// [`Run::read`] makes its own.
    pub fn to_json(&self) -> String {
        let Run { version, results, ranked_by, tasks } = self;
        let head = json::line(&Head { version, results: *results, ranked_by, summary: summary(tasks) });
        let head = head.trim_end();
        let head = head.strip_suffix('}').unwrap_or(head);
        format!("{head},\n\"tasks\":{}}}\n", json::list(self.tasks.iter()).trim_end())
    }

    /// Reads what [`Run::to_json`] wrote.
    ///
    /// # Errors
    /// When it is something else.
    pub fn read(text: &str) -> Result<Run, RunError> {
        Ok(serde_json::from_str(text)?)
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A task of `repository` with this reciprocal rank under both rules.
    pub fn outcome(repository: &str, id: &str, mrr: f64) -> Outcome {
        let metrics = Metrics { mrr, ..Metrics::default() };
        Outcome {
            repository: repository.to_owned(),
            id: id.to_owned(),
            kind: Intent::Explore,
            tier: "easy".to_owned(),
            task: "pay".to_owned(),
            ground_truth: vec!["charge".to_owned()],
            error: None,
            dotted: metrics,
            strict: metrics,
            results: vec!["shop/payment.py.charge".to_owned()],
            traces: Vec::new(),
        }
    }

    #[test]
    fn a_run_survives_being_saved() {
        let components = BTreeMap::from([("lexical".to_owned(), 0.5)]);
        let mut task = outcome("shop", "1", 0.5);
        task.traces = vec![Placed { name: "charge".to_owned(), place: 1, is_result: true, score: 0.5, components }];
        let results = Results::Packed { budget_tokens: 5_000 };
        let run = Run {
            version: "1".to_owned(),
            results,
            ranked_by: "default".to_owned(),
            tasks: vec![task, outcome("shop", "2\u{1b}[31m", 0.0)],
        };
        let text = run.to_json();
        assert_eq!(Run::read(&text).unwrap(), run);
        assert!(!text.contains('\u{1b}'));
        let empty = Run { tasks: Vec::new(), results: Results::Ranked, ..run };
        assert_eq!(Run::read(&empty.to_json()).unwrap(), empty);
        assert!(Run::read("[]").unwrap_err().to_string().contains("--save"));
    }
}
