//! Coding agents: their requests in the runs pane.

use std::time::Duration;

use super::{Action, Harness};
use crate::exchange::{RequestRecord, RequestSubject};
use crate::tui::action::Report;
use crate::tui::effect::Effect;
use crate::tui::fixture;
use crate::tui::model::Focus;
use crate::tui::model::task::EntryPoint;
use crate::tui::overlay::Overlay;
use crate::tui::panes::runs;
use crate::tui::workspace::AgentNews;

fn receive(harness: &mut Harness, record: RequestRecord) -> Vec<Effect> {
    let news = AgentNews { requests: vec![(record, Duration::from_secs(3))], ..AgentNews::default() };
    harness.act(Action::Report(Report::Agents(news)))
}

fn message(harness: &Harness) -> &str {
    harness.model.message.as_ref().map_or("", |message| &message.text)
}

#[test]
fn a_request_is_ranked_and_then_compared_as_a_run() {
    let mut harness = Harness::ranked();
    receive(&mut harness, fixture::request("expire cookies"));
    assert_eq!(harness.model.panes.runs.shown().len(), 2);
    harness.keys("6 j m a");
    assert_eq!(message(&harness), "this is a request of an agent; Enter ranks it here");
    harness.keys("D");
    assert_eq!(harness.model.panes.runs.compared, None);
    harness.keys("Enter");
    assert_eq!((harness.model.task.text(), harness.model.task.budget_tokens), ("expire cookies", 2_000));
    assert_eq!(harness.model.focus, Focus::Pane(runs::ID));
    assert_eq!(message(&harness), "the task of claude-code");
    harness.rank(Duration::ZERO);
    assert_eq!(harness.model.panes.runs.list.len(), 2);
    harness.keys("d");
    assert_eq!(harness.model.panes.runs.compared, Some((1, 2)));
}

#[test]
fn requests_of_files_revisions_and_symbols_are_opened() {
    let mut harness = Harness::ranked();
    let open = |harness: &mut Harness, subject: RequestSubject| {
        receive(harness, RequestRecord { subject, ..fixture::request("") });
        harness.keys("6 g g j Enter");
    };
    harness.wait(Duration::from_secs(9));
    open(&mut harness, RequestSubject::Files(vec!["a.py".into()]));
    assert_eq!(harness.model.task.entry_point, EntryPoint::Text, "the run is newer than the request");
    harness.keys("k Enter");
    assert_eq!(harness.model.task.entry_point, EntryPoint::Files(vec!["a.py".into()]));
    harness.wait(Duration::from_secs(9));
    receive(&mut harness, RequestRecord { subject: RequestSubject::Revision("main".into()), ..fixture::request("") });
    harness.keys("g g Enter");
    assert_eq!(harness.model.task.entry_point, EntryPoint::Changes("main".into()));
    harness.wait(Duration::from_secs(9));
    receive(&mut harness, RequestRecord { subject: RequestSubject::Symbol("push".into()), ..fixture::request("") });
    harness.keys("g g Enter");
    assert!(matches!(harness.model.overlays.last(), Some(Overlay::Finder(_))));
}

#[test]
fn unreadable_files_are_reported() {
    let mut harness = Harness::ready();
    let news = AgentNews { damaged_lines: 2, ..AgentNews::default() };
    harness.act(Action::Report(Report::Agents(news)));
    assert_eq!(message(&harness), "2 requests of agents can't be read: damaged in the journal");
    let news = AgentNews { error: Some("is locked".into()), ..AgentNews::default() };
    harness.act(Action::Report(Report::Agents(news)));
    assert_eq!(message(&harness), "agents: is locked");
}
