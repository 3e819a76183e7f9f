//! The results of an evaluation: metrics per task, and the top of each ranking to explain later changes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::matcher::Matcher;
use super::metrics::Metrics;
use super::summary::{Group, summary};
use crate::model::Intent;
use crate::render::json;

/// The measured list of symbols.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Results {
    /// The symbols of a pack, in rank order.
    Packed { budget_tokens: usize },
    /// The whole ranking before packing.
    Ranked,
}

impl Results {
    /// Returns a description for output.
    pub fn describe(self) -> String {
        match self {
            Results::Packed { budget_tokens } => format!("symbols packed into {budget_tokens} tokens, in rank order"),
            Results::Ranked => "the whole ranking, before packing".to_owned(),
        }
    }
}

/// A symbol in a task's ranking.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    pub name: String,
    /// Rank before packing, from 1.
    pub rank: usize,
    /// Whether it is one of the measured results; the budget may exclude it.
    pub is_result: bool,
    pub score: f64,
    /// Contributions to the score, by component.
    pub components: BTreeMap<String, f64>,
}

/// The result of one task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskResult {
    pub repository: String,
    pub id: String,
    pub intent: Intent,
    pub tier: String,
    pub task: String,
    pub ground_truth: Vec<String>,
    /// The reason why the task could not be ranked. All metrics are zero then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    pub dotted: Metrics,
    pub strict: Metrics,
    /// Names of the measured symbols, best first.
    pub results: Vec<String>,
    /// The top of the ranking, and for each entry of the ground truth the best strict match.
    pub traces: Vec<Trace>,
}

impl TaskResult {
    /// Returns the metrics under one rule.
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
    /// `default`, or `default without` the components and concepts that were left out.
    #[serde(default)]
    pub ranked_by: String,
    /// In the order of the task files.
    pub tasks: Vec<TaskResult>,
}

/// A saved run that can't be parsed.
#[derive(Debug, thiserror::Error)]
#[error("{0}; save one with `knowing-eval … --save FILE`")]
pub struct SavedRunError(#[from] serde_json::Error);

#[derive(Serialize)]
struct Header<'a> {
    version: &'a str,
    results: Results,
    ranked_by: &'a str,
    summary: Vec<Group>,
}

impl Run {
    /// Serializes the run as JSON with one task per line, so that runs can be compared with `diff`. The summary is for
    /// readers; [`Run::read`] ignores it.
    pub fn to_json(&self) -> String {
        let Run { version, results, ranked_by, tasks } = self;
        let header = json::line(&Header { version, results: *results, ranked_by, summary: summary(tasks) });
        let header = header.trim_end();
        let header = header.strip_suffix('}').unwrap_or(header);
        format!("{header},\n\"tasks\":{}}}\n", json::list(self.tasks.iter()).trim_end())
    }

    /// Parses the output of [`Run::to_json`].
    ///
    /// # Errors
    /// When `text` is not a saved run.
    pub fn read(text: &str) -> Result<Run, SavedRunError> {
        Ok(serde_json::from_str(text)?)
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Returns a task of `repository` with this reciprocal rank under both rules.
    pub fn result(repository: &str, id: &str, mrr: f64) -> TaskResult {
        let metrics = Metrics { mrr, ..Metrics::default() };
        TaskResult {
            repository: repository.to_owned(),
            id: id.to_owned(),
            intent: Intent::Explore,
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
    fn saved_run_is_read_back() {
        let components = BTreeMap::from([("lexical".to_owned(), 0.5)]);
        let mut task = result("shop", "1", 0.5);
        task.traces = vec![Trace { name: "charge".to_owned(), rank: 1, is_result: true, score: 0.5, components }];
        let results = Results::Packed { budget_tokens: 5_000 };
        let run = Run {
            version: "1".to_owned(),
            results,
            ranked_by: "default".to_owned(),
            tasks: vec![task, result("shop", "2\u{1b}[31m", 0.0)],
        };
        let text = run.to_json();
        assert_eq!(Run::read(&text).unwrap(), run);
        assert!(!text.contains('\u{1b}'));
        let empty = Run { tasks: Vec::new(), results: Results::Ranked, ..run };
        assert_eq!(Run::read(&empty.to_json()).unwrap(), empty);
        assert!(Run::read("[]").unwrap_err().to_string().contains("--save"));
    }
}
