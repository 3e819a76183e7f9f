//! Windows on top of the panes: a stack whose last window has the keyboard focus.
//!
//! Each window is one file with its state, its commands and its drawing.

pub mod concepts;
pub mod filter;
pub mod finder;
mod help;
pub mod export;
pub mod history;
pub mod keys;
pub mod messages;
pub mod note;
pub mod palette;
pub mod picker;
pub mod relations;
pub mod repositories;
mod list;
pub mod trail;
pub mod votes;

use std::mem::discriminant;
use std::time::Instant;

use ratatui::layout::{Position, Rect};
use tui_input::Input;

use super::backend::{Answer, Recorded, Response};
use super::command::{Command, CommandSpec, Context};
use super::effect::Effect;
use super::model::Model;
use super::panes::pack::{PackList, Stage};
use super::view::Canvas;
use crate::model::Symbol;
use concepts::Concepts;
use export::Export;
use filter::Filter;
use finder::Finder;
use history::History;
use keys::Keys;
use list::{FilterInput, Selection};
use messages::Messages;
use note::Note;
use palette::Palette;
use picker::Picker;
use relations::Relations;
use repositories::Repositories;
use trail::TrailWindow;
use votes::Votes;

/// A window of the stack.
#[derive(Debug, Clone)]
pub enum Overlay {
    Keys(Keys),
    Palette(Palette),
    History(History),
    Export(Export),
    Concepts(Concepts),
    Relations(Relations),
    Finder(Finder),
    Filter(Filter),
    Picker(Picker),
    Votes(Votes),
    Messages(Messages),
    Note(Note),
    Trail(TrailWindow),
    Repositories(Repositories),
}

/// The result of a command, as in helix's compositor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventResult {
    /// The window ran the command and stays open.
    Consumed,
    /// The window closes.
    Close,
    /// The window has no such command; the panes may run it.
    Ignored,
}

/// State, commands and drawing of a window. While one of these methods runs, the window is off the model's stack.
pub trait Window {
    /// Returns the contexts of its key bindings, innermost first; those of all windows and the global ones follow.
    fn contexts(&self) -> &'static [Context] {
        &[]
    }
    /// Returns the text field that typed letters go to, if there is one.
    fn input(&self) -> Option<&Input> {
        None
    }
    /// Returns the same text field for editing.
    fn input_mut(&mut self) -> Option<&mut Input> {
        None
    }
    /// Returns the hint bar's word for Enter.
    fn enter_label(&self) -> &'static str {
        "take"
    }
    /// Returns the hint bar's word for a command; empty for one that does nothing in the window.
    fn hint(&self, spec: &CommandSpec) -> &'static str {
        if spec.command == Command::OverlayRun { self.enter_label() } else { spec.hint }
    }
    /// Returns the selected symbol; the source pane previews it while the window is open.
    fn selected_symbol(&self) -> Option<&Symbol> {
        None
    }
    /// Returns the line to preview when it is not the line of the symbol's name.
    fn selected_line(&self) -> Option<u32> {
        None
    }
    /// Called after the text field changed.
    fn input_changed(&mut self, _model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {}
    /// Repeats the window's request, as the index may have changed.
    fn refresh(&mut self, _model: &mut Model, _effects: &mut Vec<Effect>) {}
    /// Runs a command.
    fn run(&mut self, command: Command, model: &mut Model, now: Instant, effects: &mut Vec<Effect>) -> EventResult;
    /// Receives a response of the reader; compare `number` with that of the window's own request.
    fn on_response(&mut self, _number: u64, _response: &Answer<Response>) {}
    /// Sorts a response by the ranked list.
    fn arrange(&mut self, _list: &PackList) {}
    /// Receives the feedback journal after it was read or changed.
    fn on_recorded(&mut self, _answer: &Answer<Recorded>) {}
    /// Returns the area of the screen that it covers.
    fn area(&self, model: &Model) -> Rect;
    /// Handles a click inside its area.
    fn click(&mut self, _position: Position, _model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {}
    /// Returns the number of rows it covers at the bottom of the screen if the panes above stay in use, else 0.
    fn covered_rows(&self) -> u16 {
        0
    }
    /// Draws the window over the panes.
    fn draw(&self, canvas: &mut Canvas<'_>);
}

macro_rules! window_of {
    ($overlay:expr) => {
        match $overlay {
            Overlay::Keys(window) => window,
            Overlay::Palette(window) => window,
            Overlay::History(window) => window,
            Overlay::Export(window) => window,
            Overlay::Concepts(window) => window,
            Overlay::Relations(window) => window,
            Overlay::Finder(window) => window,
            Overlay::Filter(window) => window,
            Overlay::Picker(window) => window,
            Overlay::Votes(window) => window,
            Overlay::Messages(window) => window,
            Overlay::Note(window) => window,
            Overlay::Trail(window) => window,
            Overlay::Repositories(window) => window,
        }
    };
}

impl Overlay {
    /// Returns the window behind the trait.
    pub fn window(&self) -> &dyn Window {
        window_of!(self)
    }

    fn window_mut(&mut self) -> &mut dyn Window {
        window_of!(self)
    }
}

/// Returns the hint bar's word for a command; in a window, the window's own.
pub fn hint(model: &Model, entry: &CommandSpec) -> &'static str {
    match model.overlays.last() {
        Some(overlay) => overlay.window().hint(entry),
        // Once the task is ranked, Enter goes to the list, too.
        None if entry.command == Command::Submit
            && model.panes.pack.stage == Stage::Full
            && !model.panes.pack.stale =>
        {
            Command::LeaveTask.spec().hint
        }
        _ => entry.hint,
    }
}

/// Runs a command in the top window. Returns false if there is none or it ignores the command.
pub fn run(model: &mut Model, command: Command, now: Instant, effects: &mut Vec<Effect>) -> bool {
    let mut flow = EventResult::Ignored;
    with_top(model, |window, model| {
        flow = window.run(command, model, now, effects);
        flow != EventResult::Close
    });
    flow != EventResult::Ignored
}

/// Handles a click: inside the top window it is the window's, outside it closes the window. Returns false if none is
/// open.
pub fn click(model: &mut Model, position: Position, now: Instant, effects: &mut Vec<Effect>) -> bool {
    with_top(model, |window, model| {
        let inside = window.area(model).contains(position);
        if inside {
            window.click(position, model, now, effects);
        }
        inside
    })
}

/// Returns the rows at the bottom of the screen that the top window and the footer take from the panes.
pub fn covered_rows(model: &Model) -> u16 {
    let top = model.overlays.last().map(|overlay| overlay.window()).filter(|window| window.covered_rows() > 0);
    top.map_or(0, |window| window.area(model).height) + 1
}

/// Returns whether a window covers this position.
pub fn covers(model: &Model, position: Position) -> bool {
    model.overlays.iter().any(|overlay| overlay.window().area(model).contains(position))
}

/// Removes all but the topmost window of each kind.
pub fn remove_duplicates(model: &mut Model) {
    for index in (0..model.overlays.len()).rev() {
        let kind = discriminant(&model.overlays[index]);
        if model.overlays[index + 1..].iter().any(|above| discriminant(above) == kind) {
            model.overlays.remove(index);
        }
    }
}

/// Refreshes the top window.
pub fn refresh(model: &mut Model, effects: &mut Vec<Effect>) {
    with_top(model, |window, model| {
        window.refresh(model, effects);
        true
    });
}

/// Passes a response of the reader to every window.
pub fn deliver_response(model: &mut Model, number: u64, response: &Answer<Response>) {
    for overlay in &mut model.overlays {
        overlay.window_mut().on_response(number, response);
        overlay.window_mut().arrange(&model.panes.pack);
    }
}

/// Passes the outcome of a feedback record to every window.
pub fn deliver_recorded(model: &mut Model, answer: &Answer<Recorded>) {
    for overlay in &mut model.overlays {
        overlay.window_mut().on_recorded(answer);
    }
}

/// Edits the text field of the top window. Returns false if no window is open.
pub fn edit_input(model: &mut Model, change: impl FnOnce(&mut Input), now: Instant, effects: &mut Vec<Effect>) -> bool {
    with_top(model, |window, model| {
        if let Some(input) = window.input_mut() {
            let before = input.value().to_owned();
            change(input);
            if input.value() != before {
                window.input_changed(model, now, effects);
            }
        }
        true
    })
}

/// Takes the top window off the stack while `work` uses it and the model; windows opened by `work` go above it.
fn with_top(model: &mut Model, work: impl FnOnce(&mut dyn Window, &mut Model) -> bool) -> bool {
    let Some(mut top) = model.overlays.pop() else { return false };
    let index = model.overlays.len();
    if work(top.window_mut(), model) {
        model.overlays.insert(index, top);
    }
    true
}
