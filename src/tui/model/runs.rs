//! The rankings of the session with their settings and results, and the requests of coding agents.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use super::task::{EntryPoint, changes_label};
use crate::engine::Vote;
use crate::exchange::{Outcome, RequestRecord, RequestSubject};
use crate::model::{PackedSymbol, SymbolId};
use crate::tui::model::Model;
use crate::tui::view::text;

/// Older runs and requests are dropped.
const MAX_RUNS: usize = 200;

/// Everything that a ranking depends on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunSettings {
    pub entry_point: EntryPoint,
    /// The text of the task line, which other entry points leave unchanged.
    pub text: String,
    pub budget_tokens: usize,
    pub index_version: u64,
    /// Names of muted concepts.
    pub muted: BTreeSet<String>,
    pub pinned: BTreeSet<SymbolId>,
    pub dropped: BTreeSet<SymbolId>,
    /// 1 is useful, -1 not useful.
    pub votes: BTreeMap<SymbolId, i8>,
}

impl RunSettings {
    /// Returns the task, or the label of another entry point.
    pub fn task(&self) -> String {
        self.entry_point.label().unwrap_or_else(|| self.text.clone())
    }
}

/// One ranking.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Counts from 1.
    pub number: usize,
    pub at: Instant,
    pub settings: RunSettings,
    /// In rank order; the first `packed` are in the pack.
    pub rows: Vec<RunRow>,
    pub packed: usize,
    pub tokens_used: usize,
}

/// A symbol as a run ranked it.
#[derive(Debug, Clone, PartialEq)]
pub struct RunRow {
    pub id: SymbolId,
    pub name: String,
    pub scope: String,
    pub score: f64,
    /// Names and contributions of the score's components.
    pub components: Vec<(&'static str, f64)>,
}

/// A request of an agent.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentRequest {
    pub record: RequestRecord,
    received: Instant,
    /// The age when it was received.
    age: Duration,
}

/// The runs of the session and the requests of agents.
#[derive(Debug, Clone, Default)]
pub struct Runs {
    /// Oldest first.
    pub list: Vec<Run>,
    /// Oldest first.
    pub requests: Vec<AgentRequest>,
    last_number: usize,
}

impl Runs {
    /// Adds a run. A run with the settings of the last one replaces its results.
    pub fn push(
        &mut self,
        at: Instant,
        settings: RunSettings,
        symbols: &[PackedSymbol],
        (packed, tokens_used): (usize, usize),
    ) {
        let rows = symbols.iter().map(RunRow::from).collect();
        if let Some(last) = self.list.last_mut().filter(|last| last.settings == settings) {
            (last.rows, last.packed, last.tokens_used) = (rows, packed, tokens_used);
            return;
        }
        self.last_number += 1;
        self.list.push(Run { number: self.last_number, at, settings, rows, packed, tokens_used });
        self.list.drain(..self.list.len().saturating_sub(MAX_RUNS));
    }

    /// Adds requests with their ages.
    pub fn add_requests(&mut self, requests: Vec<(RequestRecord, Duration)>, now: Instant) {
        let received = requests.into_iter().map(|(record, age)| AgentRequest { record, received: now, age });
        self.requests.extend(received);
        self.requests.drain(..self.requests.len().saturating_sub(MAX_RUNS));
    }

    /// Returns the run with this number.
    pub fn get(&self, number: usize) -> Option<&Run> {
        let index = self.list.binary_search_by_key(&number, |run| run.number).ok()?;
        self.list.get(index)
    }

    /// Returns the newest run.
    pub fn newest(&self) -> Option<&Run> {
        self.list.last()
    }

    /// Returns the numbers of the last two runs.
    pub fn last_two(&self) -> Option<(usize, usize)> {
        let [.., before, newest] = self.list.as_slice() else { return None };
        Some((before.number, newest.number))
    }
}

impl AgentRequest {
    /// Returns the time since the request.
    pub fn age(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.received) + self.age
    }

    /// Returns the name of the client, or the interface of one without a name.
    pub fn client(&self) -> &str {
        if self.record.client.name.is_empty() { "agent" } else { &self.record.client.name }
    }

    /// Returns the content of the request.
    pub fn title(&self) -> String {
        match (&self.record.subject, &self.record.options.question) {
            (RequestSubject::Task(text), _) => text.clone(),
            (RequestSubject::Files(files), _) => format!("files: {}", files.join(", ")),
            (RequestSubject::Revision(base), _) => changes_label(base),
            (RequestSubject::Symbol(name), Some(question)) => format!("{question} {name}"),
            (RequestSubject::Symbol(name), None) => format!("symbol {name}"),
        }
    }

    /// Describes the answer: the tokens of a pack, and the kind of any other.
    pub fn outcome(&self) -> String {
        let tokens = self.record.pack.as_ref().map(|pack| format!("{} tok", text::thousands(pack.tokens)));
        let kind = match self.record.outcome {
            Outcome::Answered => "",
            Outcome::Delta => "delta",
            Outcome::Unchanged => "unchanged",
            Outcome::Partial => "partial",
            Outcome::Nothing => "nothing found",
            Outcome::Failed => "failed",
            Outcome::Canceled => "canceled",
        };
        match (kind, tokens) {
            ("", None) => "answered".to_owned(),
            ("", Some(tokens)) => tokens,
            ("delta" | "partial", Some(tokens)) => format!("{kind} {tokens}"),
            (kind, _) => kind.to_owned(),
        }
    }
}

impl From<&PackedSymbol> for RunRow {
    fn from(packed: &PackedSymbol) -> RunRow {
        RunRow {
            id: packed.symbol.id,
            name: packed.symbol.name.clone(),
            scope: packed.symbol.scope.clone(),
            score: packed.score,
            components: packed.components.iter().map(|component| (component.name, component.contribution)).collect(),
        }
    }
}

fn votes(model: &Model) -> BTreeMap<SymbolId, i8> {
    let votes = model.feedback.votes.iter().filter_map(|(id, vote)| match vote {
        Vote::Useful => Some((*id, 1)),
        Vote::NotUseful => Some((*id, -1)),
        Vote::Clear => None,
    });
    votes.collect()
}

/// Records the ranking that the list shows as a run.
pub fn ranked(model: &mut Model, now: Instant) {
    let pack = &model.panes.pack;
    let options = &model.task.options;
    let settings = RunSettings {
        entry_point: model.task.entry_point.clone(),
        text: model.task.text().to_owned(),
        budget_tokens: model.task.budget_tokens,
        index_version: model.index_version,
        muted: options.muted_concepts.clone(),
        pinned: options.pinned.clone(),
        dropped: options.dropped.clone(),
        votes: votes(model),
    };
    model.runs.push(now, settings, &pack.symbols, (pack.packed, pack.tokens_used));
}

/// Adds the recorded votes to the newest run: those of a task are read after its first ranking, which has applied them.
pub fn votes_read(model: &mut Model) {
    let votes = votes(model);
    if let Some(newest) = model.runs.list.last_mut() {
        newest.settings.votes = votes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture;

    #[test]
    fn equal_settings_add_no_run() {
        let mut runs = Runs::default();
        for task in ["a", "b", "b", "a"] {
            let settings = RunSettings { text: task.to_owned(), ..RunSettings::default() };
            runs.push(Instant::now(), settings, &fixture::pack().symbols, (2, 9));
        }
        let tasks: Vec<&str> = runs.list.iter().map(|run| run.settings.text.as_str()).collect();
        assert_eq!((tasks, runs.last_two()), (vec!["a", "b", "a"], Some((2, 3))));
    }

    #[test]
    fn old_runs_and_requests_are_dropped() {
        let mut runs = Runs::default();
        for task in 0..MAX_RUNS + 2 {
            let settings = RunSettings { text: task.to_string(), ..RunSettings::default() };
            runs.push(Instant::now(), settings, &[], (0, 0));
        }
        assert!(runs.get(1).is_none() && runs.get(MAX_RUNS + 2).is_some());
        let many = (0..2 * MAX_RUNS).map(|_| (fixture::request("x"), Duration::ZERO)).collect();
        runs.add_requests(many, Instant::now());
        assert_eq!((runs.list.len(), runs.requests.len()), (MAX_RUNS, MAX_RUNS));
    }
}
