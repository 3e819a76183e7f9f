//! Commands that vote, pin, drop, mute and send. Changes are shown at once and recorded in the background, for rankings and for
//! coding agents, whose requests are in the history.

use std::time::Instant;

use super::{navigation, ranking, task, trail};
use crate::engine::{EventKind, USE_EFFECT, Vote};
use crate::model::{Symbol, SymbolId};
use crate::tui::backend::{AgentAnswer, AgentNews, Answer, Recorded};
use crate::tui::command::{Command, Context};
use crate::tui::effect::{AgentJob, Effect, Record};
use crate::tui::model::feedback::{Delivery, PendingEffect, PinState, UndoEntry};
use crate::tui::model::task::EntryPoint;
use crate::tui::model::{Focus, Model, runs};
use crate::tui::overlay;
use crate::tui::panes::{pack, source};
use crate::tui::view::text;

/// Learns from edits, copies and exports, or from votes only.
pub fn toggle_learning(model: &mut Model) {
    model.feedback.ignores_use = !model.feedback.ignores_use;
    model.show_message(match model.feedback.ignores_use {
        false => "learning from votes, edits, copies and exports",
        true => "learning from votes only",
    });
}

/// Votes on the symbols that a key acts on; the same vote again clears it.
pub fn vote(model: &mut Model, wanted: Vote, now: Instant, effects: &mut Vec<Effect>) {
    let Some(symbols) = targets_or_reason(model) else { return };
    let Some(task) = model.task.description() else {
        model.show_error("a vote needs a task");
        return;
    };
    let clears = symbols.iter().all(|symbol| model.feedback.vote(symbol.id) == wanted);
    let after = if clears { Vote::Clear } else { wanted };
    move_on(model, &symbols, after == Vote::NotUseful);
    let change = |symbol: Symbol| {
        let before = model.feedback.vote(symbol.id);
        UndoEntry::Vote { task: task.clone(), symbol, before, after }
    };
    let changes: Vec<UndoEntry> = symbols.into_iter().map(change).collect();
    perform_all(model, changes, now, effects);
}

/// Pins or drops the symbols that a key acts on; the same again unpins or restores them.
pub fn set_pin_state(model: &mut Model, wanted: PinState, now: Instant, effects: &mut Vec<Effect>) {
    let Some(symbols) = targets_or_reason(model) else { return };
    let releases = symbols.iter().all(|symbol| model.task.pin_state(symbol.id) == wanted);
    let after = if releases { PinState::Neither } else { wanted };
    move_on(model, &symbols, after == PinState::Dropped);
    let task = steered_task(model);
    let change = |symbol: Symbol| {
        let before = model.task.pin_state(symbol.id);
        UndoEntry::Pin { task: task.clone(), symbol, before, after }
    };
    let changes: Vec<UndoEntry> = symbols.into_iter().map(change).collect();
    perform_all(model, changes, now, effects);
}

/// Selects the next row after a change by which symbols leave their place, so that several can be rejected one after the
/// other; a symbol of a fold that is now ranked stays selected in the list.
fn move_on(model: &mut Model, symbols: &[Symbol], is_rejected: bool) {
    let list = &mut model.panes.pack;
    match symbols {
        [only] if list.folds.row.is_some() => list.awaited = Some(only.id),
        // What is read stays.
        _ if is_rejected && model.focus == Focus::Pane(pack::ID) && model.panes.source.chosen.is_none() => {
            list.step_over(&symbols.iter().map(|symbol| symbol.id).collect::<Vec<_>>());
        }
        _ => {}
    }
}

/// Keeps or drops one symbol, or does neither.
pub fn set_pin(model: &mut Model, symbol: Symbol, after: PinState, now: Instant, effects: &mut Vec<Effect>) {
    let (task, before) = (steered_task(model), model.task.pin_state(symbol.id));
    perform(model, UndoEntry::Pin { task, symbol, before, after }, now, effects);
}

/// Returns the symbols that a key acts on; shows the reason if there are none.
fn targets_or_reason(model: &mut Model) -> Option<Vec<Symbol>> {
    match navigation::definitions(model) {
        Ok(symbols) => Some(symbols),
        Err(reason) => {
            model.show_error(reason);
            None
        }
    }
}

/// Applies changes of several symbols, which are undone together.
fn perform_all(model: &mut Model, mut changes: Vec<UndoEntry>, now: Instant, effects: &mut Vec<Effect>) {
    if changes.len() > 1 {
        perform(model, UndoEntry::Batch(changes), now, effects);
    } else if let Some(only) = changes.pop() {
        perform(model, only, now, effects);
    }
}

/// Mutes a concept, or unmutes it.
pub fn mute(model: &mut Model, concept: String, now: Instant, effects: &mut Vec<Effect>) {
    let muted = !model.task.options.muted_concepts.contains(&concept);
    perform(model, UndoEntry::Mute { concept, muted }, now, effects);
}

/// Applies a change that can be undone.
pub fn perform(model: &mut Model, change: UndoEntry, now: Instant, effects: &mut Vec<Effect>) {
    model.feedback.undone.clear();
    model.feedback.done.push(change.clone());
    apply(model, change, now, effects);
}

/// Undoes the last change.
pub fn undo(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
    let Some(change) = model.feedback.done.pop() else {
        model.show_message("nothing to undo");
        return;
    };
    model.feedback.undone.push(change.clone());
    select_changed(model, &change);
    apply(model, change.inverse(), now, effects);
}

/// Does again what was undone last.
pub fn redo(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
    let Some(change) = model.feedback.undone.pop() else {
        model.show_message("nothing to redo");
        return;
    };
    model.feedback.done.push(change.clone());
    apply(model, change, now, effects);
}

/// Selects the symbol of a change in the list, if it is listed, or in the open fold, so that the undone change is visible. What
/// is read in the source stays.
fn select_changed(model: &mut Model, change: &UndoEntry) {
    let folds = &mut model.panes.pack.folds;
    folds.awaited = change.symbol().map(|symbol| symbol.id).filter(|_| folds.open.is_some());
    if model.focus == Focus::Pane(source::ID) {
        return;
    }
    let index = change.symbol().and_then(|symbol| model.panes.pack.index_of(symbol.id));
    if let Some(index) = index.filter(|index| model.panes.pack.shown.contains(index)) {
        model.panes.source.chosen = None;
        model.panes.why.chosen = None;
        model.panes.pack.select(index);
    }
}

/// Shows a change at once and ranks again. A vote is ranked with when it is in the store; the effect on the pack is
/// shown with the next ranking.
fn apply(model: &mut Model, change: UndoEntry, now: Instant, effects: &mut Vec<Effect>) {
    if let UndoEntry::Task { after, .. } = change {
        after.restore(&mut model.task);
        model.show_message("the task before is back");
        return task::changed(model, now, effects);
    }
    if !matches!(change, UndoEntry::Sent { .. }) {
        model.feedback.pending = Some(PendingEffect::new(change.clone(), &model.panes.pack));
    }
    if carry_out(model, change, effects) {
        ranking::rerank(model, now, effects);
    }
}

/// Carries out a change. Returns whether to rank again now.
fn carry_out(model: &mut Model, change: UndoEntry, effects: &mut Vec<Effect>) -> bool {
    match change {
        UndoEntry::Vote { task, symbol, before, after } => {
            model.feedback.set_vote(symbol.id, after);
            model.feedback.writing += 1;
            effects.push(Effect::Record(Record::Vote { task, symbol: Box::new(symbol), before, after }));
            return false;
        }
        UndoEntry::Use { symbol, event, counts } => {
            // After this use is undone, the next one is recorded.
            model.feedback.used.retain(|(_, id)| counts || *id != symbol.id);
            effects.push(Effect::Record(Record::SetUndone { entry: event, undone: !counts }));
            return false;
        }
        UndoEntry::Pin { task, symbol, after, .. } => {
            model.task.set_pin_state(&symbol, after);
            trail::save(model, effects);
            if let Some(task) = task {
                let job = AgentJob::Steer { task, symbol: Box::new(symbol), state: after };
                effects.push(Effect::Record(Record::Agent(job)));
            }
        }
        UndoEntry::Sent { task, symbols, is_sent } => {
            let job = if is_sent { AgentJob::Send { task, symbols } } else { AgentJob::TakeBack { symbols } };
            effects.push(Effect::Record(Record::Agent(job)));
            return false;
        }
        UndoEntry::Mute { concept, muted } => {
            let all_muted = &mut model.task.options.muted_concepts;
            if muted {
                all_muted.insert(concept)
            } else {
                all_muted.remove(&concept)
            };
        }
        UndoEntry::Task { .. } => {}
        UndoEntry::Batch(changes) => {
            let ranks_now = changes.into_iter().map(|change| carry_out(model, change, effects));
            return ranks_now.fold(false, |any, ranks| any | ranks);
        }
    }
    true
}

/// Records that a symbol was edited or copied, if learning from use is on. Only the first use for a task counts.
pub fn record_use(model: &mut Model, symbol: &Symbol, how: EventKind, effects: &mut Vec<Effect>) {
    let is_learned = !model.feedback.ignores_use && !symbol.is_section();
    let Some(task) = model.task.description().filter(|_| is_learned) else { return };
    if !model.feedback.used.insert((task.clone(), symbol.id)) {
        return;
    }
    effects.push(Effect::Record(Record::Used { task, symbol: Box::new(symbol.clone()), how }));
    model.feedback.announces_use |= model.feedback.vote(symbol.id) == Vote::Clear;
}

/// Records that the symbols at which the editor was opened were edited, if their files have changed: an editor that was
/// left without a change was only a look.
pub fn edited(model: &mut Model, changed: &[String], is_open: bool, effects: &mut Vec<Effect>) {
    let task = model.task.description();
    for (asked, symbol) in std::mem::take(&mut model.feedback.in_editor) {
        if !changed.contains(&symbol.file) {
            model.feedback.in_editor.extend(is_open.then_some((asked, symbol)));
        } else if asked == task {
            record_use(model, &symbol, EventKind::Edit, effects);
        }
    }
}

/// Remembers the symbols at which the user's editor is opened, and the task for which.
pub fn opened(model: &mut Model, symbols: Vec<Symbol>) {
    let task = model.task.description();
    model.feedback.in_editor = symbols.into_iter().map(|symbol| (task.clone(), symbol)).collect();
}

/// Adds to the message of a copy that it counts as useful, if it does.
pub fn announce_use(model: &mut Model, message: String) -> String {
    if !std::mem::take(&mut model.feedback.announces_use) {
        return message;
    }
    let glyphs = &model.appearance.glyphs;
    let key = model.keymap.key_of(Context::Normal, Command::Undo);
    format!("{} {message} {dot} counts as useful {USE_EFFECT:+} {dot} {key} undoes it", glyphs.done, dot = glyphs.dot)
}

/// Requests the votes for the task: others may have voted since the last ranking.
pub fn refresh(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(task) = model.task.description() else { return };
    model.feedback.votes_task.clone_from(&task);
    effects.push(Effect::Record(Record::Votes { task }));
}

/// Applies the result of a record.
pub fn recorded(model: &mut Model, record: Record, answer: Answer<Recorded>, now: Instant, effects: &mut Vec<Effect>) {
    if matches!(record, Record::Vote { .. }) {
        model.feedback.writing = model.feedback.writing.saturating_sub(1);
    }
    match (record, answer) {
        (Record::Vote { .. }, Ok(recorded)) => {
            if let (Some(pending), Recorded::Voted { learned }) = (&mut model.feedback.pending, recorded) {
                pending.learned = learned;
            }
            // Of several votes the last one ranks.
            if model.feedback.writing == 0 {
                ranking::rerank(model, now, effects);
            }
        }
        (Record::Vote { symbol, before, task, after }, Err(error)) => {
            let failed = UndoEntry::Vote { task, symbol: (*symbol).clone(), before, after };
            forget(&mut model.feedback.done, &failed);
            forget(&mut model.feedback.undone, &failed.clone().inverse());
            model.feedback.pending = None;
            model.feedback.set_vote(symbol.id, before);
            model.show_error(format!("the vote on {} was not recorded: {error}", symbol.name));
        }
        (Record::Votes { task }, Ok(Recorded::Votes(votes))) => {
            let feedback = &mut model.feedback;
            match feedback.writing {
                0 if feedback.votes_task == task => {
                    feedback.votes = votes.into_iter().collect();
                    runs::votes_read(model);
                }
                _ => feedback.votes_task.clear(),
            }
        }
        (record @ (Record::Journal | Record::SetUndone { .. } | Record::Forget { .. }), answer) => {
            if !matches!(record, Record::Journal) {
                ranking::rerank(model, now, effects);
            }
            overlay::deliver_recorded(model, &answer);
            if let Err(error) = answer {
                model.show_error(error);
            }
        }
        (Record::Used { symbol, how, .. }, Ok(Recorded::Used { event })) => {
            model.feedback.undone.clear();
            model.feedback.done.push(UndoEntry::Use { symbol: (*symbol).clone(), event, counts: true });
            if how == EventKind::Edit {
                let message = announce_use(model, format!("edited {}", symbol.name));
                model.feedback.announced_edit.clone_from(&message);
                model.show_message(message);
            }
        }
        (Record::Agent(job), answer) => agents_recorded(model, &job, answer, now, effects),
        // Recording use is best effort: its errors are not shown.
        (Record::Used { .. } | Record::Votes { .. }, _) => {}
    }
}

/// Removes a change, alone or in a batch.
fn forget(changes: &mut Vec<UndoEntry>, failed: &UndoEntry) {
    changes.retain_mut(|change| match change {
        UndoEntry::Batch(batch) => {
            forget(batch, failed);
            !batch.is_empty()
        }
        other => other != failed,
    });
}

/// Adds new requests to the history, and shows what was delivered and what can't be read.
pub fn apply_news(model: &mut Model, news: AgentNews, now: Instant) {
    let has_requests = !news.requests.is_empty();
    model.runs.add_requests(news.requests, now);
    let delivery = &mut model.feedback.delivery;
    *delivery = match (*delivery, news.is_pack_waiting) {
        (_, true) => Delivery::Waiting,
        (Delivery::Waiting, false) => Delivery::Taken,
        (other, false) => other,
    };
    if *delivery == Delivery::Taken && has_requests {
        *delivery = Delivery::Nothing;
        let client = model.runs.requests.last().map_or("an agent", |request| request.client()).to_owned();
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
fn steered_task(model: &Model) -> Option<String> {
    let is_text = model.task.entry_point == EntryPoint::Text && !model.task.is_empty();
    is_text.then(|| model.task.text().to_owned())
}

/// Returns the listed symbols that pass.
fn listed(model: &Model, passes: impl Fn(SymbolId) -> bool) -> Vec<Symbol> {
    let symbols = model.panes.pack.symbols.iter().map(|packed| &packed.symbol);
    symbols.filter(|symbol| passes(symbol.id)).cloned().collect()
}

/// Moves the pins and drops of the task to the branch, or back.
pub fn steer_branch(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(task) = steered_task(model) else {
        return model.show_error("agents get what is kept for a task in words only");
    };
    let of_state = |state| listed(model, |id| model.task.pin_state(id) == state);
    let (pinned, dropped) = (of_state(PinState::Pinned), of_state(PinState::Dropped));
    if pinned.is_empty() && dropped.is_empty() {
        return model.show_message("nothing is kept or dropped");
    }
    effects.push(Effect::Record(Record::Agent(AgentJob::SteerBranch { task, pinned, dropped })));
}

/// Sends the marked symbols, else the pinned ones, else the pack.
pub fn send(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
    let pack = &model.panes.pack;
    let marked = listed(model, |id| pack.marked.contains(&id));
    let pinned = listed(model, |id| model.task.pin_state(id) == PinState::Pinned);
    let packed = pack.symbols.iter().take(pack.packed).map(|packed| packed.symbol.clone()).collect();
    let symbols = [marked, pinned, packed].into_iter().find(|symbols| !symbols.is_empty());
    let Some(symbols) = symbols else { return model.show_error("there is nothing to send yet") };
    let task = model.task.description().unwrap_or_default();
    perform(model, UndoEntry::Sent { task, symbols, is_sent: true }, now, effects);
}

/// Applies the result of a job.
fn agents_recorded(
    model: &mut Model,
    job: &AgentJob,
    answer: Answer<Recorded>,
    now: Instant,
    effects: &mut Vec<Effect>,
) {
    let answer = match answer {
        Ok(Recorded::Agent(answer)) => answer,
        Ok(_) => return,
        Err(error) => return model.show_error(format!("not changed for agents: {error}")),
    };
    let done = model.appearance.glyphs.done;
    match (job, answer) {
        (AgentJob::SteerBranch { .. }, AgentAnswer::OnBranch(branch)) => {
            model.show_message(format!("{done} kept and dropped for agents: on every task of {branch}"));
        }
        (AgentJob::SteerBranch { .. }, AgentAnswer::OnTask) => {
            model.show_message(format!("{done} kept and dropped for agents: on this task"));
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
            let key = model.keymap.key_of(Context::Normal, Command::Undo);
            model.show_message(format!("{done} sent {count} to the next agent {dot} {key} undoes it"));
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
