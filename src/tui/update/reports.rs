//! What the workers report.

use std::time::{Duration, Instant};

use super::{again, ask, changed, classes, export, graph, judge, runs, searching, source, why};
use crate::model::ContextPack;
use crate::tui::action::Report;
use crate::tui::effect::{Effect, Topic};
use crate::tui::model::{IndexState, Model, Phases};
use crate::tui::overlay;
use crate::tui::workspace::{Answer, Indexed, Response, Status};

/// Takes one report in; an answer to an older request changes nothing.
pub fn take(model: &mut Model, report: Report, now: Instant, effects: &mut Vec<Effect>) {
    match report {
        Report::Status(status) => take_status(model, status, now, effects),
        Report::Progress(progress) => {
            if let IndexState::Building(phases) | IndexState::Updating(phases) = &mut model.index {
                phases.note(progress.phase, progress.done, progress.total);
            }
            if matches!(model.index, IndexState::Building(_)) {
                overlay::refresh(model, effects);
            }
        }
        Report::Indexed(indexed) => take_indexed(model, indexed, now, effects),
        Report::Lexical { generation, rows, took } if generation == model.search.generation => match rows {
            // Without a single word in common the old rows stay until the full rank has spoken.
            Ok(rows) if !rows.is_empty() => model.pack.set_lexical(rows, took),
            Ok(_) => {}
            Err(error) => model.complain(error),
        },
        Report::Ranked { generation, pack, took } if generation == model.search.generation => {
            model.search.ranking = false;
            match pack {
                Ok(Some(pack)) => {
                    model.search.last_full = took;
                    take_pack(model, pack, took, effects);
                    runs::note(model, now);
                }
                Ok(None) => {}
                Err(error) => model.complain(error),
            }
        }
        Report::Source { generation, file, shown } if generation == model.source.generation => match shown {
            Ok(shown) => model.source.show(&file, shown),
            Err(error) => model.source.fail(error),
        },
        Report::Changed(change) => changed::take(model, &change, effects),
        Report::Unwatched(error) => model.complain(format!("files are not watched, r refreshes: {error}")),
        Report::OutputDone(Ok(words)) => model.say(words),
        Report::OutputDone(Err(error)) => model.complain(error),
        Report::Found { number, finding } => {
            if let Ok(Response::Examples(examples)) = &finding {
                model.examples.clone_from(examples);
            }
            if !classes::found(model, number, &finding) && !again::found(model, number, &finding) {
                overlay::deliver_response(model, number, &finding);
                export::found(model, number, &finding, effects);
                why::found(model, number, &finding);
                graph::found(model, number, &finding);
            }
        }
        Report::Recorded { record, answer } => judge::recorded(model, record, answer, now, effects),
        Report::Lexical { .. } | Report::Ranked { .. } | Report::Source { .. } => {}
    }
}

fn take_pack(model: &mut Model, pack: ContextPack, took: Duration, effects: &mut Vec<Effect>) {
    let before = model.runs.newest().map(|run| &run.settings.entry);
    if before.is_some_and(|before| !before.is_like(&model.task.entry)) {
        model.pack.begin_anew();
    }
    model.pack.set_pack(pack, took);
    if let Some(cause) = model.judgements.cause.take() {
        let glyphs = &model.appearance.glyphs;
        let told = cause.told(&model.pack, glyphs.arrow, glyphs.dot);
        let done = glyphs.done;
        model.say(format!("{done} {told}"));
    }
    judge::refresh(model, effects);
    classes::refresh(model, effects);
}

fn take_status(model: &mut Model, status: Answer<Status>, now: Instant, effects: &mut Vec<Effect>) {
    match status {
        Ok(status) => {
            let first = matches!(model.index, IndexState::Opening | IndexState::Failed(_));
            model.index = match status.usable {
                true => IndexState::Updating(Phases::default()),
                false => IndexState::Building(Phases::default()),
            };
            model.status = status;
            if first && model.usable() && model.task.text().is_empty() {
                ask(model, Topic::Examples, effects);
            }
            if first {
                searching::start_full(model, now, effects);
            }
        }
        Err(error) => model.index = IndexState::Failed(error),
    }
}

fn take_indexed(model: &mut Model, indexed: Answer<Indexed>, now: Instant, effects: &mut Vec<Effect>) {
    let was_usable = model.usable();
    match indexed {
        Ok(indexed) => {
            model.index = IndexState::Ready;
            model.status = indexed.status;
            changed::indexed(model, indexed.changed);
            if indexed.changed || !was_usable {
                model.index_version += 1;
                if model.task.text().is_empty() {
                    ask(model, Topic::Examples, effects);
                }
                model.search.generation += 1;
                searching::start_full(model, now, effects);
                source::request(model, effects);
                again::ask_again(model, effects);
                overlay::refresh(model, effects);
            }
        }
        Err(error) if was_usable => {
            model.index = IndexState::Ready;
            model.complain(format!("the index is not up to date: {error}"));
        }
        Err(error) => {
            model.pack.clear();
            // What was met on the way to this index is no more.
            model.index_version += 1;
            model.index = IndexState::Failed(error);
        }
    }
}
