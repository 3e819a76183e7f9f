//! The runs pane: the rankings of the session, which can be marked, restored and compared, and the requests of coding
//! agents, which can be ranked.

mod pack_diff;
mod requests;
mod state;
mod view;

use std::collections::BTreeMap;
use std::time::Instant;

use ratatui::layout::{Position, Rect};
use tui_input::Input;

pub use state::{Figures, RunSettings, Runs};

use super::{Column, Pane, PaneId, Region, page_rows};
use crate::engine::Vote;
use crate::model::SymbolId;
use crate::tui::command::{Command, CommandSpec, Context};
use crate::tui::effect::Effect;
use crate::tui::model::{Focus, Model};
use crate::tui::update::ranking;
use crate::tui::view::Canvas;

/// The id of the pane.
pub const ID: PaneId = PaneId("runs");

const MARK: &str = "runs.mark";
const RESTORE_MARKED: &str = "runs.restore";
const DIFF_LAST: &str = "runs.diff-last";
const DIFF: &str = "runs.diff";
const RESTORE: &str = "runs.again";

static COMMANDS: &[CommandSpec] = &[
    CommandSpec::focus_pane(
        ID,
        "pane.runs",
        "rankings of this session and requests of agents",
        "",
        &[(Context::Normal, "6"), (Context::Normal, "g s")],
    ),
    CommandSpec::pane(MARK, "mark a run with a letter", "mark", &[(Context::Normal, "m")]),
    CommandSpec::pane(RESTORE_MARKED, "restore the task of the run with a mark", "", &[(Context::Normal, "'")]),
    CommandSpec::pane(DIFF_LAST, "compare the pack with the previous one", "diff", &[(Context::Normal, "d")])
        .unless(without_comparison),
    CommandSpec::pane(DIFF, "compare the pack with that of any run", "", &[(Context::Normal, "D")])
        .unless(without_comparison),
    CommandSpec::pane(
        RESTORE,
        "restore the task of this run, or rank that of a request",
        "restore",
        &[(Context::Pane(ID), "Enter")],
    ),
];

/// The answer to commands on a request that need a run.
const NOT_RANKED: &str = "this is a request of an agent; Enter ranks it here";

/// The answer to commands that compare runs while there is at most one.
const ONE_RUN: &str = "there is one run so far; the next one can be compared with it";

/// A comparison scrolls no further.
const MAX_DIFF_LINES: usize = 2_000;

/// The rankings of the session.
pub struct RunsPane;

impl Pane for RunsPane {
    fn id(&self) -> PaneId {
        ID
    }

    fn region(&self) -> Region {
        Region::Foot(Column::Left, 1, 4)
    }

    fn commands(&self) -> &'static [CommandSpec] {
        COMMANDS
    }

    fn run(&self, model: &mut Model, command: Command, now: Instant, effects: &mut Vec<Effect>) -> bool {
        let Command::Pane(name) = command else { return false };
        match name {
            MARK | RESTORE_MARKED => model.pending.letter_command = Some(command),
            DIFF_LAST => match model.panes.runs.compare_last() {
                true => ensure_visible(model),
                false => model.show_message(ONE_RUN),
            },
            DIFF => compare_selected(model),
            RESTORE => match model.panes.runs.selected_run().map(|run| run.number) {
                Some(number) => restore(model, number, now, effects),
                None => requests::open(model, now, effects),
            },
            _ => return false,
        }
        true
    }

    fn run_with_letter(
        &self,
        model: &mut Model,
        command: Command,
        letter: char,
        now: Instant,
        effects: &mut Vec<Effect>,
    ) {
        match command {
            Command::Pane(MARK) => match model.panes.runs.mark(letter, model.focus == Focus::Pane(ID)) {
                Some(number) => model.show_message(format!("run {number} has mark {letter}")),
                None => model.show_error(match model.panes.runs.selected_request() {
                    Some(_) => NOT_RANKED,
                    None => "there is no run to mark yet",
                }),
            },
            Command::Pane(RESTORE_MARKED) => match model.panes.runs.marks.get(&letter).copied() {
                Some(number) => restore(model, number, now, effects),
                None => model.show_error(format!("no run has mark {letter}")),
            },
            _ => {}
        }
    }

    /// Records the ranking as a run.
    fn ranked(&self, model: &mut Model, now: Instant) {
        let pack = &model.panes.pack;
        let options = &model.task.options;
        let settings = RunSettings {
            entry_point: model.task.entry_point.clone(),
            text: model.task.text().to_owned(),
            budget_tokens: model.task.budget_tokens,
            index_version: model.index_version,
            muted: options.muted_concepts.clone(),
            pinned: options.pinned.clone(),
            dropped: options.dropped.clone(),
            votes: votes(model),
        };
        let figures = Figures { tokens_used: pack.tokens_used, took: pack.took };
        model.panes.runs.push(now, settings, &pack.symbols, pack.packed, figures);
    }

    fn has_current_symbol(&self) -> bool {
        false
    }

    /// Moves the selection. Larger steps scroll the comparison below the runs.
    fn scroll(&self, model: &mut Model, by: isize) {
        let height = page_rows(model, ID);
        let runs = &mut model.panes.runs;
        if runs.compared.is_some() && by.abs() > 1 {
            runs.diff_top = runs.diff_top.saturating_add_signed(by).min(MAX_DIFF_LINES);
            return;
        }
        let height = runs.list_rows(height);
        runs.step(by, height);
    }

    fn click(&self, model: &mut Model, position: Position, area: Rect) {
        let runs = &mut model.panes.runs;
        let row = (position.y - area.y) as usize;
        let index = runs.offset + row;
        if row < runs.list_rows(area.height.into()) && index < runs.shown().len() {
            runs.selected = index;
        }
    }

    fn filter<'model>(&self, model: &'model Model) -> Option<&'model str> {
        Some(&model.panes.runs.filter)
    }

    fn set_filter(&self, model: &mut Model, text: String) {
        let runs = &mut model.panes.runs;
        runs.filter = text;
        (runs.selected, runs.offset) = (0, 0);
    }

    fn filter_counts(&self, model: &Model) -> (usize, usize) {
        let runs = &model.panes.runs;
        (runs.shown().len(), runs.list.len() + runs.requests.len())
    }

    fn status(&self, model: &Model) -> String {
        view::status(model)
    }

    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        view::draw(canvas, area);
    }
}

fn votes(model: &Model) -> BTreeMap<SymbolId, i8> {
    let votes = model.feedback.votes.iter().filter_map(|(id, vote)| match vote {
        Vote::Useful => Some((*id, 1)),
        Vote::NotUseful => Some((*id, -1)),
        Vote::Clear => None,
    });
    votes.collect()
}

/// Adds the recorded votes to the newest run: those of a task are read after its first ranking, which has applied them.
pub fn votes_read(model: &mut Model) {
    let votes = votes(model);
    if let Some(newest) = model.panes.runs.list.last_mut() {
        newest.settings.votes = votes;
    }
}

/// Focuses the pane if it is not visible.
fn ensure_visible(model: &mut Model) {
    if model.areas().pane(ID).is_empty() {
        model.focus = Focus::Pane(ID);
    }
}

/// Returns why runs can't be compared yet.
fn without_comparison(model: &Model) -> Option<&'static str> {
    (model.panes.runs.list.len() < 2).then_some(ONE_RUN)
}

fn compare_selected(model: &mut Model) {
    if let Some(reason) = without_comparison(model) {
        model.show_message(reason);
        return;
    }
    if model.focus != Focus::Pane(ID) {
        model.focus = Focus::Pane(ID);
        model.show_message("select a run; D compares it with the newest one");
        return;
    }
    match model.panes.runs.selected_run().map(|run| run.number) {
        None if model.panes.runs.selected_request().is_some() => model.show_message(NOT_RANKED),
        None => model.show_message("no run is selected"),
        Some(number) if !model.panes.runs.compare_with(number) => {
            model.show_message("this is the newest run; select an older one");
        }
        Some(_) => {}
    }
}

/// Restores the task and the options of a run and ranks. Votes stay as they are: they are not part of the question.
fn restore(model: &mut Model, number: usize, now: Instant, effects: &mut Vec<Effect>) {
    let Some(settings) = model.panes.runs.get(number).map(|run| run.settings.clone()) else { return };
    model.task.replace(settings.entry_point, Input::new(settings.text));
    model.task.budget_tokens = settings.budget_tokens;
    let options = &mut model.task.options;
    options.muted_concepts = settings.muted;
    options.pinned = settings.pinned;
    options.dropped = settings.dropped;
    ranking::rerank(model, now, effects);
    model.show_message(format!("restored run {number}"));
}
