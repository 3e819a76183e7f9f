//! Coding agents: their requests in the history.

use std::time::Duration;

use super::{Action, Harness};
use crate::exchange::{RequestRecord, RequestSubject};
use crate::tui::action::Report;
use crate::tui::backend::{AgentAnswer, AgentNews, Recorded};
use crate::tui::effect::{AgentJob, Effect, Record};
use crate::tui::fixture;
use crate::tui::model::feedback::PinState;
use crate::tui::model::task::EntryPoint;
use crate::tui::overlay::Overlay;

fn receive(harness: &mut Harness, record: RequestRecord) -> Vec<Effect> {
    let news = AgentNews { requests: vec![(record, Duration::from_secs(3))], ..AgentNews::default() };
    harness.act(Action::Report(Report::Agents(news)))
}

fn message(harness: &Harness) -> &str {
    harness.model.message.as_ref().map_or("", |message| &message.text)
}

#[test]
fn a_request_is_ranked_and_then_compared() {
    let mut harness = Harness::ranked();
    receive(&mut harness, fixture::request("expire cookies"));
    harness.keys("g h e x p i r e Tab");
    assert_eq!(message(&harness), "only rankings of this session are compared; Enter ranks this one");
    harness.keys("Enter");
    assert_eq!((harness.model.task.text(), harness.model.task.budget_tokens), ("expire cookies", 2_000));
    assert_eq!(message(&harness), "the task of claude-code");
    harness.rank(Duration::ZERO);
    assert_eq!(harness.model.runs.last_two(), Some((1, 2)));
}

#[test]
fn requests_of_files_revisions_and_symbols_are_opened() {
    let mut harness = Harness::ranked();
    let open = |harness: &mut Harness, subject: RequestSubject, typed: &str| {
        receive(harness, RequestRecord { subject, ..fixture::request("") });
        harness.keys("g h");
        harness.keys(typed);
        harness.keys("Enter");
    };
    open(&mut harness, RequestSubject::Files(vec!["a.py".into()]), "f i l e s");
    assert_eq!(harness.model.task.entry_point, EntryPoint::Files(vec!["a.py".into()]));
    open(&mut harness, RequestSubject::Revision("main".into()), "s i n c e");
    assert_eq!(harness.model.task.entry_point, EntryPoint::Changes("main".into()));
    open(&mut harness, RequestSubject::Symbol("push".into()), "s y m b o l");
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

fn jobs(effects: &[Effect]) -> Vec<Record> {
    let job = |effect: &Effect| match effect {
        Effect::Record(record @ Record::Agent(_)) => Some(record.clone()),
        _ => None,
    };
    effects.iter().filter_map(job).collect()
}

fn answer(harness: &mut Harness, record: &Record, answer: AgentAnswer) -> Vec<Effect> {
    let answer = Ok(Recorded::Agent(answer));
    harness.act(Action::Report(Report::Recorded { record: record.clone(), answer }))
}

#[test]
fn pins_are_for_agents_too_until_they_are_undone() {
    let mut harness = Harness::ranked();
    let states = |jobs: &[Record]| -> Vec<PinState> {
        let state = |record: &Record| match record {
            Record::Agent(AgentJob::Steer { task, state, .. }) if task == "session" => *state,
            other => panic!("{other:?}"),
        };
        jobs.iter().map(state).collect()
    };
    let pinned = jobs(&harness.keys("Space"));
    assert_eq!(states(&pinned), [PinState::Pinned]);
    answer(&mut harness, &pinned[0], AgentAnswer::Steered(true));
    harness.rank(Duration::ZERO);
    let undone = jobs(&harness.keys("u"));
    assert_eq!(states(&undone), [PinState::Neither]);
    harness.rank(Duration::ZERO);

    harness.keys("Space");
    assert!(matches!(&jobs(&harness.keys("P"))[..], [Record::Agent(AgentJob::SteerBranch { pinned, .. })]
        if pinned.len() == 1));
    harness.model.task.entry_point = EntryPoint::Files(vec!["a.py".into()]);
    assert_eq!(jobs(&harness.keys("x")), [], "agents' requests of files have no task");
}

#[test]
fn the_pins_of_an_opened_request_are_shown() {
    let mut harness = Harness::ranked();
    receive(&mut harness, fixture::request("expire cookies"));
    let asked = jobs(&harness.keys("g h e x p i r e Enter"));
    assert!(matches!(&asked[..], [Record::Agent(AgentJob::Steering { task })] if task == "expire cookies"));
    let id = fixture::pack().symbols[2].symbol.id;
    let steering = AgentAnswer::Steering { pinned: [id].into(), dropped: Default::default() };
    let effects = answer(&mut harness, &asked[0], steering);
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Search(_))));
    assert_eq!(harness.model.task.pin_state(id), PinState::Pinned);
}

#[test]
fn sent_symbols_are_taken_back_or_delivered() {
    let mut harness = Harness::ranked();
    let sent = jobs(&harness.keys("y a"));
    let Record::Agent(AgentJob::Send { symbols, .. }) = &sent[0] else { panic!("{sent:?}") };
    assert_eq!(symbols.len(), fixture::PACKED, "without marks and pins it is the pack");
    answer(&mut harness, &sent[0], AgentAnswer::Sent);
    assert_eq!(message(&harness), "✓ sent 4 symbols to the next agent · u undoes it");
    let back = jobs(&harness.keys("u"));
    assert!(matches!(&back[..], [Record::Agent(AgentJob::TakeBack { symbols })] if symbols.len() == 4));
    answer(&mut harness, &back[0], AgentAnswer::TakenBack(true));
    assert_eq!(message(&harness), "✓ taken back");
    receive(&mut harness, fixture::request("a"));
    assert_eq!(message(&harness), "✓ taken back");

    let again = jobs(&harness.keys("C-r"));
    answer(&mut harness, &again[0], AgentAnswer::Sent);
    harness.act(Action::Report(Report::Agents(AgentNews::default())));
    receive(&mut harness, fixture::request("b"));
    assert_eq!(message(&harness), "✓ claude-code got the sent symbols");
    harness.keys("Space");
    harness.rank(Duration::ZERO);
    let pinned = jobs(&harness.keys("y a"));
    assert!(matches!(&pinned[..], [Record::Agent(AgentJob::Send { symbols, .. })] if symbols.len() == 1));
}
