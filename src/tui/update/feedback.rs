//! Commands that vote, pin, drop and mute. Changes are shown at once and recorded in the background.

use std::time::Instant;

use super::{navigation, ranking};
use crate::engine::{EventKind, Vote};
use crate::model::Symbol;
use crate::tui::command::Command;
use crate::tui::effect::{Effect, Record};
use crate::tui::model::Model;
use crate::tui::model::feedback::{PendingEffect, PinState, UndoEntry};
use crate::tui::overlay;
use crate::tui::panes;
use crate::tui::workspace::{Answer, Recorded};

/// Runs the commands of feedback.
pub fn run(model: &mut Model, command: Command, now: Instant, effects: &mut Vec<Effect>) -> bool {
    match command {
        Command::VoteUp => vote(model, Vote::Useful, now, effects),
        Command::VoteDown => vote(model, Vote::NotUseful, now, effects),
        Command::Pin => set_pin_state(model, PinState::Pinned, now, effects),
        Command::Drop => set_pin_state(model, PinState::Dropped, now, effects),
        Command::Undo => undo(model, now, effects),
        Command::Redo => redo(model, now, effects),
        Command::LearnToggle => {
            model.feedback.learns = !model.feedback.learns;
            model.show_message(match model.feedback.learns {
                true => "learning from opening, editing and copying",
                false => "learning from votes only",
            });
        }
        _ => return false,
    }
    true
}

/// Votes on the current symbol; the same vote again clears it.
fn vote(model: &mut Model, wanted: Vote, now: Instant, effects: &mut Vec<Effect>) {
    let Some(symbol) = navigation::current_symbol(model).cloned() else {
        model.show_error("no symbol is selected");
        return;
    };
    let Some(task) = model.task.description() else {
        model.show_error("a vote needs a task");
        return;
    };
    let before = model.feedback.vote(symbol.id);
    let after = if before == wanted { Vote::Clear } else { wanted };
    perform(model, UndoEntry::Vote { task, symbol, before, after }, now, effects);
}

/// Pins or drops the current symbol; the same again unpins or restores it.
fn set_pin_state(model: &mut Model, wanted: PinState, now: Instant, effects: &mut Vec<Effect>) {
    let Some(symbol) = navigation::current_symbol(model).cloned() else {
        model.show_error("no symbol is selected");
        return;
    };
    let before = model.task.pin_state(symbol.id);
    let after = if before == wanted { PinState::Neither } else { wanted };
    perform(model, UndoEntry::Pin { symbol, before, after }, now, effects);
}

/// Mutes a concept, or unmutes it.
pub fn mute(model: &mut Model, concept: String, now: Instant, effects: &mut Vec<Effect>) {
    let muted = !model.task.options.muted_concepts.contains(&concept);
    perform(model, UndoEntry::Mute { concept, muted }, now, effects);
}

/// Applies a change that can be undone.
fn perform(model: &mut Model, change: UndoEntry, now: Instant, effects: &mut Vec<Effect>) {
    model.feedback.undone.clear();
    model.feedback.done.push(change.clone());
    apply(model, change, now, effects);
}

fn undo(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
    let Some(change) = model.feedback.done.pop() else {
        model.show_message("nothing to undo");
        return;
    };
    model.feedback.undone.push(change.clone());
    apply(model, change.inverse(), now, effects);
}

fn redo(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
    let Some(change) = model.feedback.undone.pop() else {
        model.show_message("nothing to redo");
        return;
    };
    model.feedback.done.push(change.clone());
    apply(model, change, now, effects);
}

/// Shows a change at once and ranks again. A vote is ranked with when it is in the store; the effect on the pack is shown
/// with the next ranking.
fn apply(model: &mut Model, change: UndoEntry, now: Instant, effects: &mut Vec<Effect>) {
    model.feedback.pending = Some(PendingEffect::new(change.clone(), &model.panes.pack));
    match change {
        UndoEntry::Vote { task, symbol, before, after } => {
            model.feedback.set_vote(symbol.id, after);
            record_answer(model, effects);
            model.feedback.writing += 1;
            effects.push(Effect::Record(Record::Vote { task, symbol: Box::new(symbol), before, after }));
        }
        UndoEntry::Pin { symbol, after, .. } => {
            model.task.set_pin_state(symbol.id, after);
            ranking::rerank(model, now, effects);
        }
        UndoEntry::Mute { concept, muted } => {
            let all_muted = &mut model.task.options.muted_concepts;
            if muted {
                all_muted.insert(concept)
            } else {
                all_muted.remove(&concept)
            };
            ranking::rerank(model, now, effects);
        }
    }
}

/// Records that a symbol was opened, edited or copied, if learning from use is on.
pub fn record_use(model: &mut Model, symbol: &Symbol, how: EventKind, effects: &mut Vec<Effect>) {
    let Some(task) = model.task.description().filter(|_| model.feedback.learns) else { return };
    record_answer(model, effects);
    effects.push(Effect::Record(Record::Used { task, symbol: Box::new(symbol.clone()), how }));
}

/// Records that the current symbol was opened or edited.
pub fn record_current_use(model: &mut Model, how: EventKind, effects: &mut Vec<Effect>) {
    if let Some(symbol) = navigation::current_symbol(model).cloned() {
        record_use(model, &symbol, how, effects);
    }
}

/// Requests the votes for the task if it changed.
pub fn refresh(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(task) = model.task.description() else { return };
    if model.feedback.votes_task != task {
        model.feedback.votes_task.clone_from(&task);
        effects.push(Effect::Record(Record::Votes { task }));
    }
}

/// Symbols that are recorded as the answer to a task.
const MAX_ANSWER: usize = 10;

/// Records the answer to the task once, before its symbols are used.
fn record_answer(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(task) = model.task.description() else { return };
    if model.feedback.learns && model.feedback.recorded_task != task {
        let packed = model.panes.pack.symbols.iter().take(model.panes.pack.packed.min(MAX_ANSWER));
        let symbols = packed.map(|packed| packed.symbol.clone()).collect();
        model.feedback.recorded_task.clone_from(&task);
        effects.push(Effect::Record(Record::Shown { task, symbols }));
    }
}

/// Applies the result of a record.
pub fn recorded(model: &mut Model, record: Record, answer: Answer<Recorded>, now: Instant, effects: &mut Vec<Effect>) {
    if matches!(record, Record::Vote { .. }) {
        model.feedback.writing = model.feedback.writing.saturating_sub(1);
    }
    match (record, answer) {
        (Record::Vote { .. }, Ok(_)) => ranking::rerank(model, now, effects),
        (Record::Vote { symbol, before, task, after }, Err(error)) => {
            let failed = UndoEntry::Vote { task, symbol: (*symbol).clone(), before, after };
            model.feedback.done.retain(|change| *change != failed);
            model.feedback.undone.retain(|change| *change != failed.clone().inverse());
            model.feedback.pending = None;
            model.feedback.set_vote(symbol.id, before);
            model.show_error(format!("the vote on {} was not recorded: {error}", symbol.name));
        }
        (Record::Votes { task }, Ok(Recorded::Votes(votes))) => {
            let feedback = &mut model.feedback;
            match feedback.writing {
                0 if feedback.votes_task == task => {
                    feedback.votes = votes.into_iter().collect();
                    panes::runs::votes_read(model);
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
        // Recording use is best effort: its errors are not shown.
        (Record::Used { .. } | Record::Shown { .. } | Record::Votes { .. }, _) => {}
    }
}
