//! Coding agents: their requests, as rows of the runs pane; pins and drops for them, and symbols sent to them.

use std::time::Instant;

use super::{feedback, ranking};
use crate::model::{Symbol, SymbolId};
use crate::tui::backend::{AgentAnswer, AgentNews, Answer, Recorded};
use crate::tui::command::{Command, Context};
use crate::tui::effect::{AgentJob, Effect, Record};
use crate::tui::model::feedback::{Delivery, PinState, UndoEntry};
use crate::tui::model::task::EntryPoint;
use crate::tui::model::{Focus, Model};
use crate::tui::panes::{page_rows, runs};
use crate::tui::view::text;

/// Runs the commands about agents.
pub fn run(model: &mut Model, command: Command, now: Instant, effects: &mut Vec<Effect>) -> bool {
    match command {
        Command::SteerBranch => steer_branch(model, effects),
        Command::Send => send(model, now, effects),
        _ => return false,
    }
    true
}

/// Adds new requests to the runs pane, and shows what was delivered and what can't be read.
pub fn apply(model: &mut Model, news: AgentNews, now: Instant) {
    let height = page_rows(model, runs::ID);
    let is_focused = model.focus == Focus::Pane(runs::ID);
    let has_requests = !news.requests.is_empty();
    model.panes.runs.add_requests(news.requests, now, is_focused, height);
    let delivery = &mut model.feedback.delivery;
    *delivery = match (*delivery, news.is_pack_waiting) {
        (_, true) => Delivery::Waiting,
        (Delivery::Waiting, false) => Delivery::Taken,
        (other, false) => other,
    };
    if *delivery == Delivery::Taken && has_requests {
        *delivery = Delivery::Nothing;
        let client = model.panes.runs.requests.last().map_or("an agent", |request| request.client()).to_owned();
        model.show_message(format!("{} {client} got the sent symbols", model.appearance.glyphs.done));
    }
    if news.damaged_lines > 0 {
        let lines = text::count(news.damaged_lines, "request");
        model.show_error(format!("{lines} of agents can't be read: damaged in the journal"));
    }
    if let Some(error) = news.error {
        model.show_error(format!("agents: {error}"));
    }
}

/// Returns the task whose pins and drops agents get too; `None` for files and revisions.
pub fn steered_task(model: &Model) -> Option<String> {
    let is_text = model.task.entry_point == EntryPoint::Text && !model.task.is_empty();
    is_text.then(|| model.task.text().to_owned())
}

/// Returns the listed symbols that pass.
fn listed(model: &Model, passes: impl Fn(SymbolId) -> bool) -> Vec<Symbol> {
    let symbols = model.panes.pack.symbols.iter().map(|packed| &packed.symbol);
    symbols.filter(|symbol| passes(symbol.id)).cloned().collect()
}

/// Moves the pins and drops of the task to the branch, or back.
fn steer_branch(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(task) = steered_task(model) else {
        return model.show_error("pins and drops for agents need a task in words");
    };
    let of_state = |state| listed(model, |id| model.task.pin_state(id) == state);
    let (pinned, dropped) = (of_state(PinState::Pinned), of_state(PinState::Dropped));
    if pinned.is_empty() && dropped.is_empty() {
        return model.show_message("nothing is pinned or dropped");
    }
    effects.push(Effect::Record(Record::Agent(AgentJob::SteerBranch { task, pinned, dropped })));
}

/// Sends the marked symbols, else the pinned ones, else the pack.
fn send(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
    let pack = &model.panes.pack;
    let marked = listed(model, |id| pack.marked.contains(&id));
    let pinned = listed(model, |id| model.task.pin_state(id) == PinState::Pinned);
    let packed = pack.symbols.iter().take(pack.packed).map(|packed| packed.symbol.clone()).collect();
    let symbols = [marked, pinned, packed].into_iter().find(|symbols| !symbols.is_empty());
    let Some(symbols) = symbols else { return model.show_error("there is nothing to send yet") };
    let task = model.task.description().unwrap_or_default();
    feedback::perform(model, UndoEntry::Sent { task, symbols, is_sent: true }, now, effects);
}

/// Applies the result of a job.
pub fn recorded(model: &mut Model, job: &AgentJob, answer: Answer<Recorded>, now: Instant, effects: &mut Vec<Effect>) {
    let answer = match answer {
        Ok(Recorded::Agent(answer)) => answer,
        Ok(_) => return,
        Err(error) => return model.show_error(format!("not changed for agents: {error}")),
    };
    let done = model.appearance.glyphs.done;
    match (job, answer) {
        (AgentJob::Steer { .. }, AgentAnswer::Steered(true)) => match &mut model.feedback.pending {
            Some(pending) => pending.is_steered = true,
            None => {
                let is_shown = model.message.as_ref().is_some_and(|shown| shown.text == model.feedback.announced);
                if is_shown {
                    add_note(model);
                    model.show_message(model.feedback.announced.clone());
                }
            }
        },
        (AgentJob::SteerBranch { .. }, AgentAnswer::OnBranch(branch)) => {
            model.show_message(format!("{done} pins and drops for agents: every task on {branch}"));
        }
        (AgentJob::SteerBranch { .. }, AgentAnswer::OnTask) => {
            model.show_message(format!("{done} pins and drops for agents: this task"));
        }
        (AgentJob::Steering { task }, AgentAnswer::Steering { pinned, dropped }) => {
            let options = &mut model.task.options;
            let is_open = options.pinned.is_empty() && options.dropped.is_empty() && !model.task.is_empty();
            let is_steered = !pinned.is_empty() || !dropped.is_empty();
            if is_open && is_steered && steered_task(model).as_ref() == Some(task) {
                (model.task.options.pinned, model.task.options.dropped) = (pinned, dropped);
                ranking::rerank(model, now, effects);
            }
        }
        (AgentJob::Send { symbols, .. }, AgentAnswer::Sent) => {
            model.feedback.delivery = Delivery::Waiting;
            let count = text::count(symbols.len(), "symbol");
            let dot = model.appearance.glyphs.dot;
            let key = model.keymap.keys_of(Context::Normal, Command::Undo).into_iter().next().unwrap_or_default();
            model.show_message(format!("{done} sent {count} to the next agent {dot} {key} takes them back"));
        }
        (AgentJob::TakeBack { .. }, AgentAnswer::TakenBack(true)) => {
            model.feedback.delivery = Delivery::Nothing;
            model.show_message(format!("{done} taken back"));
        }
        (AgentJob::TakeBack { .. }, AgentAnswer::TakenBack(false)) => {
            model.show_message("not taken back: an agent has them already");
        }
        _ => {}
    }
}

/// Adds to the message about a pin or drop that agents get it too.
pub fn add_note(model: &mut Model) {
    let note = format!(" {} agents too", model.appearance.glyphs.dot);
    if !model.feedback.announced.ends_with(&note) {
        model.feedback.announced.push_str(&note);
    }
}
