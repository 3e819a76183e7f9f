//! The rankings of the session: noted, marked, restored and compared; and the map of what the pack costs.

use std::time::Instant;

use tui_input::Input;

use super::{panes, searching};
use crate::engine::Vote;
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::model::runs::{Figures, Letter, Settings};
use crate::tui::model::{Focus, Model};

/// The commands of both panes.
pub fn run(model: &mut Model, command: Command, now: Instant, effects: &mut Vec<Effect>) -> bool {
    match command {
        Command::PaneRuns => model.focus = Focus::Runs,
        Command::PaneCost => model.focus = Focus::Cost,
        Command::RunMark => model.runs.letter = Some(Letter::Mark),
        Command::RunRestore => model.runs.letter = Some(Letter::Restore),
        Command::RunDiffLast => match model.runs.compare_last() {
            true => show(model),
            false => model.say("there is one ranking so far; a second one can be compared with it"),
        },
        Command::RunDiff => diff_selected(model),
        Command::RunBack => restore_selected(model, now, effects),
        Command::CostGo => go(model),
        Command::Fold if model.focus == Focus::Cost => {
            if !model.cost.fold(model.pack.packed_symbols()) {
                model.say("there is no folder to fold");
            }
        }
        _ => return false,
    }
    true
}

/// The pane of runs comes into sight, where it is not.
fn show(model: &mut Model) {
    if model.areas().runs.is_empty() {
        model.focus = Focus::Runs;
    }
}

fn diff_selected(model: &mut Model) {
    if model.focus != Focus::Runs {
        model.focus = Focus::Runs;
        model.say("choose a run; D compares it with the newest one");
        return;
    }
    match model.runs.selected_run().map(|run| run.number) {
        None => model.say("no run to compare with is shown"),
        Some(number) if !model.runs.compare_with(number) => {
            model.say("this is the newest run; choose an older one to compare it with");
        }
        Some(_) => {}
    }
}

/// The letter after `m` or `'`; any other key takes the question back.
pub fn letter(model: &mut Model, letter: Option<char>, now: Instant, effects: &mut Vec<Effect>) {
    let (Some(purpose), Some(letter)) = (model.runs.letter.take(), letter) else { return };
    match purpose {
        Letter::Mark => match model.runs.mark(letter, model.focus == Focus::Runs) {
            Some(number) => model.say(format!("run {number} is marked {letter}")),
            None => model.complain("there is no run to mark yet"),
        },
        Letter::Restore => match model.runs.marks.get(&letter).copied() {
            Some(number) => restore(model, number, now, effects),
            None => model.complain(format!("no run is marked {letter}")),
        },
    }
}

fn restore_selected(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
    if let Some(number) = model.runs.selected_run().map(|run| run.number) {
        restore(model, number, now, effects);
    }
}

/// Asks again what a run asked.
fn restore(model: &mut Model, number: usize, now: Instant, effects: &mut Vec<Effect>) {
    let Some(settings) = model.runs.get(number).map(|run| run.settings.clone()) else { return };
    model.task.ask_for(settings.entry, Input::new(settings.words));
    model.task.budget_tokens = settings.budget_tokens;
    // Votes stay as they are: they are what was learned, not what was asked.
    let options = &mut model.task.options;
    options.muted_concepts = settings.muted;
    options.pinned = settings.pinned;
    options.dropped = settings.dropped;
    model.search.generation += 1;
    searching::start_full(model, now, effects);
    model.say(format!("run {number} is asked again"));
}

/// Notes the ranking that has just come.
pub fn note(model: &mut Model, now: Instant) {
    let pack = &model.pack;
    let options = &model.task.options;
    let votes = model.judgements.votes.iter().filter_map(|(id, vote)| match vote {
        Vote::Useful => Some((*id, 1)),
        Vote::NotUseful => Some((*id, -1)),
        Vote::Clear => None,
    });
    let settings = Settings {
        entry: model.task.entry.clone(),
        words: model.task.text().to_owned(),
        budget_tokens: model.task.budget_tokens,
        index_version: model.index_version,
        muted: options.muted_concepts.clone(),
        pinned: options.pinned.clone(),
        dropped: options.dropped.clone(),
        votes: votes.collect(),
    };
    let figures = Figures { tokens_used: pack.tokens_used, took: pack.took };
    model.runs.note(now, settings, &pack.symbols, pack.packed, figures);
}

/// Selects the best symbol of the selected file or folder.
fn go(model: &mut Model) {
    let packed = model.pack.packed_symbols();
    let lines = model.cost.lines(packed);
    let Some(line) = lines.get(model.cost.selected) else { return };
    let best = packed.iter().find(|packed| line.holds(&packed.symbol.file)).map(|packed| packed.symbol.id);
    if best.is_some_and(|best| model.pack.go_to(best)) {
        model.focus = Focus::Pack;
    }
}

/// Selects the run on a row of the pane.
pub fn select(model: &mut Model, row: usize) {
    let place = model.runs.offset + row;
    if row < model.runs.list_rows(panes::page_lines(model, Focus::Runs)) && place < model.runs.shown().len() {
        model.runs.selected = place;
    }
}

/// Selects the file or folder on a row of the map.
pub fn select_cost(model: &mut Model, row: usize) {
    let place = model.cost.offset + row;
    if place < model.cost.lines(model.pack.packed_symbols()).len() {
        model.cost.selected = place;
    }
}

/// No comparison has more lines.
const MOST_LINES: usize = 2_000;

/// Moves in the list of runs or in the map.
pub fn step(model: &mut Model, pane: Focus, by: isize) {
    let height = panes::page_lines(model, pane);
    if pane == Focus::Runs {
        // Single steps go through the runs, larger ones through the comparison below them.
        if model.runs.compared.is_some() && by.abs() > 1 {
            model.runs.diff_top = model.runs.diff_top.saturating_add_signed(by).min(MOST_LINES);
            return;
        }
        let height = model.runs.list_rows(height);
        model.runs.step(by, height);
    } else {
        let lines = model.cost.lines(model.pack.packed_symbols()).len();
        model.cost.step(by, lines, height.saturating_sub(1));
    }
}
