//! Requests of coding agents, which are rows between the runs.

use std::time::{Duration, Instant};

use tui_input::Input;

use super::state::{Run, Runs};
use crate::exchange::{Outcome, RequestRecord, RequestSubject};
use crate::tui::effect::{AgentJob, Effect, Record};
use crate::tui::model::Model;
use crate::tui::model::task::EntryPoint;
use crate::tui::overlay::{self, finder};
use crate::tui::update::{ranking, task};
use crate::tui::view::text;

/// Older requests are dropped.
const MAX_REQUESTS: usize = 200;

/// A request of an agent.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentRequest {
    pub record: RequestRecord,
    received: Instant,
    /// The age when it was received.
    age: Duration,
}

/// A row of the pane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Row<'runs> {
    Run(&'runs Run),
    Request(&'runs AgentRequest),
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
            (RequestSubject::Revision(base), _) => format!("changes since {base}"),
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

impl Runs {
    /// Adds requests with their ages. The selected row stays selected in a pane with the focus.
    pub fn add_requests(
        &mut self,
        requests: Vec<(RequestRecord, Duration)>,
        now: Instant,
        is_focused: bool,
        height: usize,
    ) {
        let key = |row: &Row<'_>| match row {
            Row::Run(run) => Err(run.number),
            Row::Request(request) => Ok(request.record.id.clone()),
        };
        let selected = self.shown().get(self.selected).map(key);
        let received = requests.into_iter().map(|(record, age)| AgentRequest { record, received: now, age });
        self.requests.extend(received);
        self.requests.drain(..self.requests.len().saturating_sub(MAX_REQUESTS));
        if is_focused || self.selected > 0 {
            let index = self.shown().iter().position(|row| Some(key(row)) == selected);
            self.selected = index.unwrap_or(0);
            self.step(0, self.list_rows(height));
        }
    }

    /// Returns the runs and requests that pass the filter, the newest first.
    pub fn shown(&self) -> Vec<Row<'_>> {
        let words: Vec<String> = self.filter.split_whitespace().map(str::to_lowercase).collect();
        let passes = |text: String| {
            let text = text.to_lowercase();
            words.iter().all(|word| text.contains(word))
        };
        let received = self.requests.iter().map(|request| request.received);
        let Some(latest) = received.chain(self.newest_at()).max() else { return Vec::new() };
        let runs = self.list.iter().rev().filter(|run| passes(run.settings.task()));
        let requests = self.requests.iter().rev();
        let requests = requests.filter(|request| passes(format!("{} {}", request.client(), request.title())));
        let mut rows: Vec<(Duration, Row<'_>)> = runs
            .map(|run| (self.age(run, latest), Row::Run(run)))
            .chain(requests.map(|request| (request.age(latest), Row::Request(request))))
            .collect();
        rows.sort_by_key(|(age, _)| *age);
        rows.into_iter().map(|(_, row)| row).collect()
    }

    /// Returns the selected run.
    pub fn selected_run(&self) -> Option<&Run> {
        match self.shown().get(self.selected)? {
            Row::Run(run) => Some(run),
            Row::Request(_) => None,
        }
    }

    /// Returns the selected request.
    pub fn selected_request(&self) -> Option<&AgentRequest> {
        match self.shown().get(self.selected)? {
            Row::Run(_) => None,
            Row::Request(request) => Some(request),
        }
    }
}

/// Ranks the task of the selected request with its budget; a request for a symbol opens the finder with its name.
pub fn open(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
    let Some(request) = model.panes.runs.selected_request().cloned() else { return };
    let entry_point = match &request.record.subject {
        RequestSubject::Symbol(name) => {
            finder::open(model, finder::Purpose::Visit);
            let name = Input::new(task::clean(name));
            overlay::edit_input(model, move |field| *field = name, now, effects);
            return;
        }
        RequestSubject::Task(_) => EntryPoint::Text,
        RequestSubject::Files(files) => EntryPoint::Files(files.clone()),
        RequestSubject::Revision(base) => EntryPoint::Changes(base.clone()),
    };
    if request.record.options.budget > 0 {
        model.task.budget_tokens = request.record.options.budget;
    }
    model.task.options = Default::default();
    match &request.record.subject {
        RequestSubject::Task(text) => {
            let focus = model.focus;
            task::replace(model, text, now, effects);
            model.focus = focus;
            // The person may have pinned symbols for this task before.
            let task = model.task.text().to_owned();
            effects.push(Effect::Record(Record::Agent(AgentJob::Steering { task })));
        }
        _ => {
            let text = Input::new(model.task.text().to_owned());
            model.task.replace(entry_point, text);
            ranking::rerank(model, now, effects);
        }
    }
    model.show_message(format!("the task of {}", request.client()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture;
    use crate::tui::panes::runs::{Figures, RunSettings};

    #[test]
    fn requests_are_between_the_runs_by_time() {
        let (mut runs, start) = (Runs::default(), Instant::now());
        let second = Duration::from_secs(1);
        let figures = Figures { tokens_used: 9, took: Duration::ZERO };
        let settings = |text: &str| RunSettings { text: text.to_owned(), ..RunSettings::default() };
        runs.push(start, settings("a"), &[], 0, figures);
        runs.push(start + 9 * second, settings("b"), &[], 0, figures);
        let [old, live] = [fixture::request("older"), fixture::request("live")];
        runs.add_requests(vec![(old, 5 * second), (live, Duration::ZERO)], start + 10 * second, false, 9);
        let titles = |runs: &Runs| -> Vec<String> {
            let title = |row: &Row<'_>| match row {
                Row::Run(run) => run.settings.task(),
                Row::Request(request) => request.title(),
            };
            runs.shown().iter().map(title).collect()
        };
        assert_eq!(titles(&runs), ["live", "b", "older", "a"]);
        runs.step(1, 9);
        runs.add_requests(vec![(fixture::request("next"), Duration::ZERO)], start + 11 * second, true, 9);
        assert_eq!(runs.selected_run().map(|run| run.number), Some(2), "the selected row stays selected");
        runs.filter = "claude older".into();
        runs.selected = 0;
        assert_eq!((titles(&runs), runs.selected_run()), (vec!["older".to_owned()], None));
        let many = (0..2 * MAX_REQUESTS).map(|_| (fixture::request("x"), Duration::ZERO)).collect();
        runs.add_requests(many, start + 12 * second, true, 9);
        assert_eq!((runs.requests.len(), runs.selected), (MAX_REQUESTS, 0));
    }
}
