//! The reading trail of the task: the kept symbols in order, with notes; and the trails of other tasks.

use std::time::Instant;

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::{EventResult, Overlay, Selection, Window, note};
use crate::model::Symbol;
use crate::text::display::safe;
use crate::tui::command::{Command, CommandSpec, Context};
use crate::tui::effect::Effect;
use crate::tui::model::Model;
use crate::tui::model::trail::Step;
use crate::tui::theme::Slot;
use crate::tui::update::{feedback, navigation, trail};
use crate::tui::view::{Canvas, text, window};

/// The window of the trail.
#[derive(Debug, Clone, Default)]
pub struct TrailWindow {
    /// The steps as the model has them; the source pane previews the selected one.
    steps: Vec<Step>,
    /// The names of the saved trails, while these are listed.
    names: Option<Vec<String>>,
    selected: Selection,
}

/// Rows at the foot of the screen, so that the source of the selected symbol stays visible above.
const ROWS: u16 = 14;

/// Opens the window, with the trails of other tasks if `lists_others`.
pub fn open(model: &mut Model, lists_others: bool) {
    let names = lists_others.then(|| model.trails.keys().cloned().collect());
    let steps = model.task.trail.steps.clone();
    let current = navigation::current_symbol(model).and_then(|symbol| model.task.trail.index_of(symbol.id));
    let mut window = TrailWindow { steps, names, selected: Selection::default() };
    window.selected.select(current.filter(|_| !lists_others).unwrap_or(0));
    model.overlays.push(Overlay::Trail(window));
}

impl TrailWindow {
    fn len(&self) -> usize {
        self.names.as_ref().map_or(self.steps.len(), Vec::len)
    }

    /// Reads the model again after a change.
    fn refreshed(&mut self, model: &Model) -> EventResult {
        self.steps.clone_from(&model.task.trail.steps);
        if let Some(names) = &mut self.names {
            *names = model.trails.keys().cloned().collect();
        }
        self.selected.clamp(self.len());
        EventResult::Consumed
    }

    fn run_step(
        &mut self,
        command: Command,
        model: &mut Model,
        now: Instant,
        effects: &mut Vec<Effect>,
    ) -> EventResult {
        let row = self.selected.row();
        let Some(symbol) = self.steps.get(row).map(|step| step.symbol.clone()) else { return EventResult::Consumed };
        match command {
            Command::OverlayRun => {
                navigation::visit_at(model, symbol, None);
                return EventResult::Close;
            }
            Command::TrailNote => note::open(model, symbol),
            Command::TrailRemove => trail::release(model, symbol, now, effects),
            Command::TrailUp | Command::TrailDown => {
                let row = model.task.trail.shift(row, command == Command::TrailDown);
                self.selected.select(row);
                trail::save(model, effects);
            }
            _ => return EventResult::Ignored,
        }
        self.refreshed(model)
    }

    fn run_name(
        &mut self,
        command: Command,
        model: &mut Model,
        now: Instant,
        effects: &mut Vec<Effect>,
    ) -> EventResult {
        let name = self.names.as_ref().and_then(|names| self.selected.get(names)).cloned();
        match (command, name) {
            (Command::OverlayRun, Some(name)) => {
                trail::open(model, &name, now, effects);
                EventResult::Close
            }
            (Command::TrailRemove, Some(name)) => {
                trail::delete(model, &name, effects);
                self.refreshed(model)
            }
            (Command::OverlayRun | Command::TrailRemove, None) => EventResult::Consumed,
            _ => EventResult::Ignored,
        }
    }
}

impl Window for TrailWindow {
    fn contexts(&self) -> &'static [Context] {
        &[Context::Trail]
    }

    fn covered_rows(&self) -> u16 {
        ROWS.min(self.len() as u16 + 2).max(4)
    }

    fn selected_symbol(&self) -> Option<&Symbol> {
        let steps = if self.names.is_some() { &[][..] } else { &self.steps };
        self.selected.get(steps).map(|step| &step.symbol)
    }

    fn refresh(&mut self, model: &mut Model, _effects: &mut Vec<Effect>) {
        self.refreshed(model);
    }

    fn run(&mut self, command: Command, model: &mut Model, now: Instant, effects: &mut Vec<Effect>) -> EventResult {
        // A note may have been written meanwhile.
        self.refreshed(model);
        if self.selected.apply(command, self.len()) {
            return EventResult::Consumed;
        }
        match command {
            Command::OverlayClose | Command::Trail => EventResult::Close,
            Command::TrailTurn => {
                self.names = if self.names.is_some() { None } else { Some(Vec::new()) };
                self.selected.select_first();
                self.refreshed(model)
            }
            Command::TrailCopy => {
                trail::copy(model, effects);
                EventResult::Consumed
            }
            Command::Undo | Command::Redo => {
                let change = if command == Command::Undo { feedback::undo } else { feedback::redo };
                change(model, now, effects);
                self.refreshed(model)
            }
            _ if self.names.is_some() => self.run_name(command, model, now, effects),
            _ => self.run_step(command, model, now, effects),
        }
    }

    fn enter_label(&self) -> &'static str {
        if self.names.is_some() { "open" } else { "go" }
    }

    fn hint(&self, spec: &CommandSpec) -> &'static str {
        match (spec.command, &self.names) {
            (Command::TrailTurn, Some(_)) => "this task",
            (Command::TrailRemove, Some(_)) => "delete",
            (Command::TrailNote | Command::TrailUp | Command::TrailDown, Some(_)) => "",
            (Command::OverlayRun, _) => self.enter_label(),
            _ => spec.hint,
        }
    }

    fn area(&self, model: &Model) -> Rect {
        window::foot(model.size, self.covered_rows())
    }

    fn click(&mut self, position: Position, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        self.selected.click(window::inside(self.area(model)), self.len(), position);
    }

    fn draw(&self, canvas: &mut Canvas<'_>) {
        let (model, dot) = (canvas.model, canvas.model.appearance.glyphs.dot);
        let (title, empty) = match &self.names {
            Some(names) => (
                format!("trails {dot} {}", text::count(names.len(), "task")),
                " No trail yet: Space keeps a symbol, a keeps it with a note.",
            ),
            None => (
                format!(
                    "trail of this task {dot} {} {dot} agents get them, too",
                    text::count(self.steps.len(), "symbol")
                ),
                " Nothing is kept yet: Space keeps a symbol, a keeps it with a note.",
            ),
        };
        let inner = window::open(canvas, self.area(model), &title, "");
        if self.len() == 0 {
            canvas.line(inner, &Line::from(canvas.span(Slot::Dim, empty)));
        }
        let width = (inner.width as usize).saturating_sub(1);
        let steps = &model.task.trail.steps;
        window::list(canvas, inner, self.selected.row(), self.len(), |canvas, row| match &self.names {
            Some(names) => name_line(canvas, &names[row], width),
            None => steps.get(row).map_or_else(Line::default, |step| step_line(canvas, step, row, width)),
        });
    }
}

fn step_line(canvas: &Canvas<'_>, step: &Step, row: usize, width: usize) -> Line<'static> {
    let glyphs = &canvas.model.appearance.glyphs;
    let place = step.symbol.place();
    let place = safe(&place);
    let name = text::fit(&safe(&step.symbol.name), width / 3, glyphs.ellipsis).into_owned();
    let number = format!("{:>3} ", row + 1);
    let room = width.saturating_sub(number.len() + text::width(&name) + 2);
    // A note says more than the folders.
    let for_place = room.saturating_sub(text::width(&step.note) + 2).max(room / 2).min(room);
    let place = text::fit_end(&place, for_place, glyphs.ellipsis).into_owned();
    let left = room.saturating_sub(text::width(&place) + 2);
    let note = text::fit(&safe(&step.note), left, glyphs.ellipsis).into_owned();
    Line::from(vec![
        canvas.span(Slot::Rank, number),
        canvas.span(Slot::Name, format!("{name}  ")),
        canvas.span(Slot::Location, format!("{place}  ")),
        canvas.span(Slot::Text, note),
    ])
}

fn name_line(canvas: &Canvas<'_>, name: &str, width: usize) -> Line<'static> {
    let glyphs = &canvas.model.appearance.glyphs;
    let kept = canvas.model.trails.get(name).map_or(0, |saved| saved.pinned.len());
    let kept = format!(" {}", text::count(kept, "symbol"));
    let name = text::fit(&safe(name), width.saturating_sub(kept.len() + 1), glyphs.ellipsis).into_owned();
    Line::from(vec![canvas.span(Slot::Name, format!(" {name}")), canvas.span(Slot::Dim, kept)])
}
