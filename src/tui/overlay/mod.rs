//! What lies on top of the panes: a stack of windows, the last of which has the keys.
//!
//! Each window is one file: its state, what commands do to it, and how it is drawn.

pub mod classes;
pub mod filter;
pub mod finder;
mod help;
pub mod export;
pub mod history;
pub mod keys;
pub mod palette;
pub mod picker;
pub mod relations;
mod selection;
mod sieve;
pub mod votes;

use std::mem::discriminant;
use std::time::Instant;

use ratatui::layout::{Position, Rect};
use tui_input::Input;

use super::command::{Command, Context};
use super::effect::Effect;
use super::model::Model;
use super::view::Canvas;
use super::workspace::{Answer, Finding, Recorded};
use crate::model::Symbol;
use classes::Classes;
use export::Export;
use filter::Filter;
use finder::Finder;
use history::History;
use keys::Keys;
use palette::Palette;
use picker::Picker;
use relations::Relations;
use selection::Selection;
use sieve::Sieve;
use votes::Votes;

/// One window of the stack.
#[derive(Debug, Clone)]
pub enum Overlay {
    Keys(Keys),
    Palette(Palette),
    History(History),
    Export(Export),
    Classes(Classes),
    Relations(Relations),
    Finder(Finder),
    Filter(Filter),
    Picker(Picker),
    Votes(Votes),
}

/// What becomes of a window after a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// It stays where it is.
    Stay,
    /// It goes.
    Close,
    /// The command is none of its own: the panes may know it.
    Pass,
}

/// What every window can do. While one of these runs, the window is off the model's stack.
pub trait Layer {
    /// Where its keys are looked up, nearest first; those of all windows and global ones follow by themselves.
    fn contexts(&self) -> &'static [Context] {
        &[]
    }
    /// The line that letters go to, if it has one.
    fn field(&self) -> Option<&Input> {
        None
    }
    /// The same to be changed.
    fn field_mut(&mut self) -> Option<&mut Input> {
        None
    }
    /// The symbol under its selection: the source shows it while the window is open.
    fn symbol(&self) -> Option<&Symbol> {
        None
    }
    /// The line of that symbol that matters, when it is not that of its name.
    fn symbol_line(&self) -> Option<u32> {
        None
    }
    /// The line reads differently now.
    fn changed(&mut self, _model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {}
    /// More may be known now than when it asked: it asks again.
    fn renew(&mut self, _model: &mut Model, _effects: &mut Vec<Effect>) {}
    /// Runs a command.
    fn run(&mut self, command: Command, model: &mut Model, now: Instant, effects: &mut Vec<Effect>) -> Flow;
    /// An answer of the reader has come; whether it is its own, its number tells.
    fn found(&mut self, _number: u64, _finding: &Answer<Finding>) {}
    /// What was taught has been read or changed.
    fn recorded(&mut self, _answer: &Answer<Recorded>) {}
    /// The part of the screen that it lies on.
    fn area(&self, model: &Model) -> Rect;
    /// A place within it was clicked.
    fn click(&mut self, _place: Position, _model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {}
    /// Rows at the foot of the screen that it covers while the panes above stay in use.
    fn covers(&self) -> u16 {
        0
    }
    /// Draws it over what is there.
    fn draw(&self, canvas: &mut Canvas<'_>);
}

impl Overlay {
    /// The window as what every window is.
    pub fn layer(&self) -> &dyn Layer {
        match self {
            Overlay::Keys(layer) => layer,
            Overlay::Palette(layer) => layer,
            Overlay::History(layer) => layer,
            Overlay::Export(layer) => layer,
            Overlay::Classes(layer) => layer,
            Overlay::Relations(layer) => layer,
            Overlay::Finder(layer) => layer,
            Overlay::Filter(layer) => layer,
            Overlay::Picker(layer) => layer,
            Overlay::Votes(layer) => layer,
        }
    }

    fn layer_mut(&mut self) -> &mut dyn Layer {
        match self {
            Overlay::Keys(layer) => layer,
            Overlay::Palette(layer) => layer,
            Overlay::History(layer) => layer,
            Overlay::Export(layer) => layer,
            Overlay::Classes(layer) => layer,
            Overlay::Relations(layer) => layer,
            Overlay::Finder(layer) => layer,
            Overlay::Filter(layer) => layer,
            Overlay::Picker(layer) => layer,
            Overlay::Votes(layer) => layer,
        }
    }
}

/// Offers a command to the window on top; false when there is none or it does not know the command.
pub fn run(model: &mut Model, command: Command, now: Instant, effects: &mut Vec<Effect>) -> bool {
    let mut flow = Flow::Pass;
    with_top(model, |layer, model| {
        flow = layer.run(command, model, now, effects);
        flow != Flow::Close
    });
    flow != Flow::Pass
}

/// A click: within the window on top it is its own, elsewhere it closes it. False when none is open.
pub fn click(model: &mut Model, place: Position, now: Instant, effects: &mut Vec<Effect>) -> bool {
    with_top(model, |layer, model| {
        let inside = layer.area(model).contains(place);
        if inside {
            layer.click(place, model, now, effects);
        }
        inside
    })
}

/// Rows at the foot of the screen that the window on top takes from the panes, the last line of the screen with it.
pub fn covered(model: &Model) -> u16 {
    let top = model.overlays.last().map(|overlay| overlay.layer()).filter(|layer| layer.covers() > 0);
    top.map_or(0, |layer| layer.area(model).height) + 1
}

/// True while a window lies under this place.
pub fn is_under(model: &Model, place: Position) -> bool {
    model.overlays.iter().any(|overlay| overlay.layer().area(model).contains(place))
}

/// A window that was opened once more lies on top, and only there: of each kind the stack keeps the last.
pub fn settle(model: &mut Model) {
    for place in (0..model.overlays.len()).rev() {
        let kind = discriminant(&model.overlays[place]);
        if model.overlays[place + 1..].iter().any(|above| discriminant(above) == kind) {
            model.overlays.remove(place);
        }
    }
}

/// Lets the window on top ask again.
pub fn renew(model: &mut Model, effects: &mut Vec<Effect>) {
    with_top(model, |layer, model| {
        layer.renew(model, effects);
        true
    });
}

/// Hands an answer of the reader to every window.
pub fn found(model: &mut Model, number: u64, finding: &Answer<Finding>) {
    for overlay in &mut model.overlays {
        overlay.layer_mut().found(number, finding);
    }
}

/// Hands what was read of the journal to every window.
pub fn recorded(model: &mut Model, answer: &Answer<Recorded>) {
    for overlay in &mut model.overlays {
        overlay.layer_mut().recorded(answer);
    }
}

/// Changes the text of the window on top; false when no window is open.
pub fn edit(model: &mut Model, change: impl FnOnce(&mut Input), now: Instant, effects: &mut Vec<Effect>) -> bool {
    with_top(model, |layer, model| {
        if let Some(field) = layer.field_mut() {
            let before = field.value().to_owned();
            change(field);
            if field.value() != before {
                layer.changed(model, now, effects);
            }
        }
        true
    })
}

/// Takes the top off its stack while `work` has it and the model; windows that `work` opens come to lie above it.
fn with_top(model: &mut Model, work: impl FnOnce(&mut dyn Layer, &mut Model) -> bool) -> bool {
    let Some(mut top) = model.overlays.pop() else { return false };
    let place = model.overlays.len();
    if work(top.layer_mut(), model) {
        model.overlays.insert(place, top);
    }
    true
}
