//! Votes, pins, drops, muted classes: shown at once, written behind, undone and done again.

use std::time::Instant;

use super::{searching, source};
use crate::engine::{ActKind, Vote};
use crate::model::Symbol;
use crate::tui::command::Command;
use crate::tui::effect::{Effect, Record};
use crate::tui::model::Model;
use crate::tui::model::judgement::{Cause, Deed, Stance};
use crate::tui::overlay;
use crate::tui::workspace::{Answer, Recorded};

/// The commands that judge.
pub fn run(model: &mut Model, command: Command, now: Instant, effects: &mut Vec<Effect>) -> bool {
    match command {
        Command::VoteUp => vote(model, Vote::Useful, now, effects),
        Command::VoteDown => vote(model, Vote::NotUseful, now, effects),
        Command::Pin => stand(model, Stance::Pinned, now, effects),
        Command::Drop => stand(model, Stance::Dropped, now, effects),
        Command::Undo => undo(model, now, effects),
        Command::Redo => redo(model, now, effects),
        Command::LearnToggle => {
            model.judgements.learns = !model.judgements.learns;
            model.say(match model.judgements.learns {
                true => "opening, editing and copying teach the ranking again",
                false => "only votes teach the ranking now",
            });
        }
        _ => return false,
    }
    true
}

/// Votes on the symbol that everything is about; the vote it already has is taken back.
fn vote(model: &mut Model, wanted: Vote, now: Instant, effects: &mut Vec<Effect>) {
    let Some(symbol) = source::subject(model).cloned() else {
        model.complain("there is no symbol to vote on yet");
        return;
    };
    let Some(task) = model.task.described() else {
        model.complain("a vote needs a task that it is for");
        return;
    };
    let before = model.judgements.vote(symbol.id);
    let after = if before == wanted { Vote::Clear } else { wanted };
    perform(model, Deed::Vote { task, symbol, before, after }, now, effects);
}

/// Pins or drops the symbol that everything is about; the same again sets it free.
fn stand(model: &mut Model, wanted: Stance, now: Instant, effects: &mut Vec<Effect>) {
    let Some(symbol) = source::subject(model).cloned() else {
        model.complain("there is no symbol to keep or drop yet");
        return;
    };
    let before = model.task.stance(symbol.id);
    let after = if before == wanted { Stance::Free } else { wanted };
    perform(model, Deed::Stance { symbol, before, after }, now, effects);
}

/// Mutes a class, or hears it again.
pub fn mute(model: &mut Model, concept: String, now: Instant, effects: &mut Vec<Effect>) {
    let muted = !model.task.options.muted_classes.contains(&concept);
    perform(model, Deed::Mute { concept, muted }, now, effects);
}

fn perform(model: &mut Model, deed: Deed, now: Instant, effects: &mut Vec<Effect>) {
    model.judgements.undone.clear();
    model.judgements.done.push(deed.clone());
    apply(model, deed, now, effects);
}

fn undo(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
    let Some(deed) = model.judgements.done.pop() else {
        model.say("there is nothing to undo");
        return;
    };
    model.judgements.undone.push(deed.clone());
    apply(model, deed.inverse(), now, effects);
}

fn redo(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
    let Some(deed) = model.judgements.undone.pop() else {
        model.say("there is nothing to do again");
        return;
    };
    model.judgements.done.push(deed.clone());
    apply(model, deed, now, effects);
}

/// Shows a deed at once. What the pack makes of it is told when the next ranking comes; a vote ranks only once it is
/// written.
fn apply(model: &mut Model, deed: Deed, now: Instant, effects: &mut Vec<Effect>) {
    model.judgements.cause = Some(Cause::new(deed.clone(), &model.pack));
    match deed {
        Deed::Vote { task, symbol, before, after } => {
            model.judgements.set_vote(symbol.id, after);
            show_answer(model, effects);
            model.judgements.writing += 1;
            effects.push(Effect::Record(Record::Vote { task, symbol: Box::new(symbol), before, after }));
        }
        Deed::Stance { symbol, after, .. } => {
            model.task.set_stance(symbol.id, after);
            searching::again(model, now, effects);
        }
        Deed::Mute { concept, muted } => {
            let classes = &mut model.task.options.muted_classes;
            if muted {
                classes.insert(concept)
            } else {
                classes.remove(&concept)
            };
            searching::again(model, now, effects);
        }
    }
}

/// A symbol was opened, edited, copied or exported: that teaches too, unless the user wants it not to.
pub fn used(model: &mut Model, symbol: &Symbol, how: ActKind, effects: &mut Vec<Effect>) {
    let Some(task) = model.task.described().filter(|_| model.judgements.learns) else { return };
    show_answer(model, effects);
    effects.push(Effect::Record(Record::Used { task, symbol: Box::new(symbol.clone()), how }));
}

/// Asks which votes stand for the task, when it is another one than before.
pub fn refresh(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(task) = model.task.described() else { return };
    if model.judgements.votes_task != task {
        model.judgements.votes_task.clone_from(&task);
        effects.push(Effect::Record(Record::Votes { task }));
    }
}

/// Symbols told to the learner as the answer of a task.
const ANSWER: usize = 10;

/// Before anything of an answer is used, the learner hears what the answer was: once for each task.
fn show_answer(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(task) = model.task.described() else { return };
    if model.judgements.learns && model.judgements.shown_task != task {
        let packed = model.pack.symbols.iter().take(model.pack.packed.min(ANSWER));
        let symbols = packed.map(|packed| packed.symbol.clone()).collect();
        model.judgements.shown_task.clone_from(&task);
        effects.push(Effect::Record(Record::Shown { task, symbols }));
    }
}

/// What the writer reports.
pub fn recorded(model: &mut Model, record: Record, answer: Answer<Recorded>, now: Instant, effects: &mut Vec<Effect>) {
    if matches!(record, Record::Vote { .. }) {
        model.judgements.writing = model.judgements.writing.saturating_sub(1);
    }
    match (record, answer) {
        (Record::Vote { .. }, Ok(_)) => searching::again(model, now, effects),
        (Record::Vote { symbol, before, task, after }, Err(error)) => {
            let failed = Deed::Vote { task, symbol: (*symbol).clone(), before, after };
            model.judgements.done.retain(|deed| *deed != failed);
            model.judgements.undone.retain(|deed| *deed != failed.clone().inverse());
            model.judgements.cause = None;
            model.judgements.set_vote(symbol.id, before);
            model.complain(format!("the vote on {} was not kept: {error}", symbol.name));
        }
        (Record::Votes { task }, Ok(Recorded::Votes(votes))) => {
            let judgements = &mut model.judgements;
            match judgements.writing {
                0 if judgements.votes_task == task => judgements.votes = votes.into_iter().collect(),
                _ => judgements.votes_task.clear(),
            }
        }
        (record @ (Record::Journal | Record::TakeBack { .. } | Record::Forget { .. }), answer) => {
            if !matches!(record, Record::Journal) {
                searching::again(model, now, effects);
            }
            overlay::deliver_recorded(model, &answer);
            if let Err(error) = answer {
                model.complain(error);
            }
        }
        // Whoever only opened a file need not hear that the ranking learned nothing from it.
        (Record::Used { .. } | Record::Shown { .. } | Record::Votes { .. }, _) => {}
    }
}
