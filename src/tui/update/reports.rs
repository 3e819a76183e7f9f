//! Applies the reports of the workers.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::{ask, changes, concepts, export, feedback, ranking, trail};
use crate::model::{ContextPack, Symbol, SymbolId};
use crate::tui::action::Report;
use crate::tui::backend::{Answer, Indexed, Response, Status};
use crate::tui::effect::{Effect, Topic};
use crate::tui::model::{IndexState, Model, Phases, runs};
use crate::tui::overlay;
use crate::tui::panes::{PANES, source};

/// Applies a report. Answers to older requests are dropped.
pub fn apply(model: &mut Model, report: Report, now: Instant, effects: &mut Vec<Effect>) {
    match report {
        Report::Status(status) => apply_status(model, status, now, effects),
        Report::Progress(progress) => {
            let could_rank = model.can_rank();
            if let IndexState::Building(phases) | IndexState::Updating(phases) = &mut model.index {
                phases.update(progress.phase, progress.done, progress.total);
            }
            if !could_rank {
                ranking::start_full(model, now, effects);
            }
            if matches!(model.index, IndexState::Building(_)) {
                overlay::refresh(model, effects);
            }
        }
        Report::Indexed(indexed) => apply_indexed(model, indexed, now, effects),
        Report::Lexical { generation, rows, took } if generation == model.search.generation => match rows {
            // Without lexical matches the old rows stay until the full ranking is there.
            Ok(rows) if !rows.is_empty() => model.panes.pack.set_lexical(rows, took),
            Ok(_) => {}
            Err(error) => model.show_error(error),
        },
        Report::Ranked { generation, pack, took } if generation == model.search.generation => {
            model.search.ranking = false;
            match pack {
                Ok(Some(pack)) => {
                    model.search.last_full = took;
                    apply_pack(model, pack, took, effects);
                    runs::ranked(model, now);
                }
                Ok(None) => {}
                Err(error) => {
                    changes::pick_again(model, now, effects);
                    model.show_error(error);
                }
            }
        }
        Report::Source { generation, file, shown } if generation == model.panes.source.generation => match shown {
            Ok(shown) => model.panes.source.show(&file, shown),
            Err(error) => model.panes.source.fail(error),
        },
        Report::Changed(change) => changes::files_changed(model, &change, effects),
        Report::Agents(news) => feedback::apply_news(model, news, now),
        Report::Unwatched(error) => model.show_error(format!("can't watch files (r refreshes): {error}")),
        Report::OutputDone(Ok(words)) => {
            let words = feedback::announce_use(model, words);
            model.show_message(words);
        }
        Report::OutputDone(Err(error)) => model.show_error(error),
        Report::Answered { number, response } => {
            apply_examples(model, number, &response, effects);
            if !concepts::answered(model, number, &response) && !relocated(model, number, &response) {
                overlay::deliver_response(model, number, &response);
                changes::answered(model, number, &response);
                export::answered(model, number, &response, effects);
                trail::answered(model, number, &response, effects);
                PANES.iter().for_each(|pane| pane.answered(model, number, &response));
            }
        }
        Report::Recorded { record, answer } => feedback::recorded(model, record, answer, now, effects),
        Report::Lexical { .. } | Report::Ranked { .. } | Report::Source { .. } => {}
    }
}

/// Asks for example tasks, which are shown while there is no task, unless all are known or an answer is awaited.
pub fn request_examples(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.task.is_empty() && model.usable() && !model.examples.is_complete && model.awaited_examples.is_none() {
        model.awaited_examples = Some(ask(model, Topic::Examples, effects));
    }
}

/// Shows the examples found so far and asks for more. The search starts over with each version of the index; until it
/// has ended, its examples are added to the earlier ones.
fn apply_examples(model: &mut Model, number: u64, response: &Answer<Response>, effects: &mut Vec<Effect>) {
    if model.awaited_examples.take_if(|awaited| *awaited == number).is_none() {
        return;
    }
    let Ok(Response::Examples(examples)) = response else { return };
    if examples.is_complete || examples.tasks.len() > model.examples.tasks.len() {
        model.examples.clone_from(examples);
    }
    request_examples(model, effects);
}

fn apply_pack(model: &mut Model, pack: ContextPack, took: Duration, effects: &mut Vec<Effect>) {
    let before = model.runs.newest().map(|run| &run.settings.entry_point);
    if before.is_some_and(|before| !before.is_like(&model.task.entry_point)) {
        model.panes.pack.reset_baseline();
    }
    // What another task names can be elsewhere in the symbol that is shown already.
    model.panes.source.is_revisited |= !model.panes.pack.is_of(&pack.task);
    model.panes.pack.is_read = model.is_list_read();
    model.panes.pack.set_pack_of(pack, took, model.index_version);
    if model.panes.pack.is_read || model.search.is_submitted {
        model.panes.pack.accept();
    }
    if let Some(effect) = model.feedback.pending.take() {
        let glyphs = &model.appearance.glyphs;
        let summary = effect.summary(&model.panes.pack, glyphs.arrow, glyphs.dot);
        model.feedback.announced = format!("{} {summary}", glyphs.done);
        model.show_message(model.feedback.announced.clone());
    }
    changes::request(model, effects);
    feedback::refresh(model, effects);
    concepts::refresh(model, effects);
}

fn apply_status(model: &mut Model, status: Answer<Status>, now: Instant, effects: &mut Vec<Effect>) {
    match status {
        Ok(status) => {
            let first = matches!(model.index, IndexState::Opening | IndexState::Failed(_));
            model.index = match status.usable {
                true => IndexState::Updating(Phases::default()),
                false => IndexState::Building(Phases::default()),
            };
            model.status = status;
            if first {
                ranking::start_full(model, now, effects);
            }
            if first && model.usable() {
                relocate(model, effects);
                request_examples(model, effects);
            }
        }
        Err(error) => model.index = IndexState::Failed(error),
    }
}

fn apply_indexed(model: &mut Model, indexed: Answer<Indexed>, now: Instant, effects: &mut Vec<Effect>) {
    let was_usable = model.usable();
    match indexed {
        Ok(indexed) => {
            model.index = IndexState::Ready;
            model.status = indexed.status;
            if !indexed.problems.is_empty() {
                model.show_error(indexed.problems.join("; "));
            }
            changes::indexed(model, indexed.changed);
            if indexed.changed || !was_usable {
                model.index_version += 1;
                model.awaited_examples = None;
                request_examples(model, effects);
                model.search.generation += 1;
                ranking::start_full(model, now, effects);
                source::request(model, effects);
                relocate(model, effects);
                overlay::refresh(model, effects);
            }
        }
        Err(error) if was_usable => {
            model.index = IndexState::Ready;
            model.show_error(format!("updating the index failed: {error}"));
        }
        Err(error) => {
            model.panes.pack.clear();
            // Answers about the partial index are outdated.
            model.index_version += 1;
            model.index = IndexState::Failed(error);
        }
    }
}

/// Asks for every symbol that panes and jump list refer to.
pub fn relocate(model: &mut Model, effects: &mut Vec<Effect>) {
    // Lines may have moved.
    model.panes.source.use_line = None;
    let mut symbols: Vec<Symbol> = Vec::new();
    retain_symbols(model, &mut |symbol| {
        if symbols.iter().all(|known| key(known) != key(symbol)) {
            symbols.push(symbol.clone());
        }
        true
    });
    model.relocation.symbols = symbols.iter().map(key).collect();
    if !symbols.is_empty() {
        model.relocation.question = ask(model, Topic::Relocate(symbols), effects);
    }
}

/// Applies the answer. Returns false for the answer to another question.
fn relocated(model: &mut Model, number: u64, response: &Answer<Response>) -> bool {
    if number != model.relocation.question {
        return false;
    }
    // After an error nothing changes: every later request checks its symbol itself.
    let Ok(Response::Relocated(symbols)) = response else { return true };
    let known: HashMap<(SymbolId, String), &Option<Symbol>> =
        std::mem::take(&mut model.relocation.symbols).into_iter().zip(symbols).collect();
    let visited = model.panes.source.chosen.as_ref().map(|symbol| symbol.name.clone());
    retain_symbols(model, &mut |symbol| match known.get(&key(symbol)) {
        Some(Some(now)) => {
            *symbol = now.clone();
            true
        }
        // A symbol that was added since the question is of the new index.
        other => other.is_none(),
    });
    if let (Some(name), None) = (visited, &model.panes.source.chosen) {
        model.show_message(format!("{name} is gone"));
    }
    // A symbol has another identity when the repository has got another name.
    let options = &mut model.task.options;
    for ((old, _), now) in known.iter().filter_map(|(key, now)| Some((key, now.as_ref()?))) {
        for kept in [&mut options.pinned, &mut options.dropped] {
            if kept.remove(old) {
                kept.insert(now.id);
            }
        }
    }
    model.panes.graph.asked_about = None;
    true
}

/// Returns what distinguishes symbols: while the index is partial, equal names of one Go package have one identity.
fn key(symbol: &Symbol) -> (SymbolId, String) {
    (symbol.id, symbol.file.clone())
}

/// Calls `keep`, which may change it, with every symbol that panes and jump list refer to, and forgets those for which
/// it returns false.
fn retain_symbols(model: &mut Model, keep: &mut dyn FnMut(&mut Symbol) -> bool) {
    // Sections of documents are in no graph: the next answer has their new places.
    let keep = &mut |symbol: &mut Symbol| symbol.is_section() || keep(symbol);
    for pane in PANES {
        pane.retain_symbols(model, keep);
    }
    // What is gone stays in the trail: it was read.
    for step in &mut model.task.trail.steps {
        keep(&mut step.symbol);
    }
    model.jump_list.retain(|jump| {
        jump.line = None;
        keep(&mut jump.symbol)
    });
}
