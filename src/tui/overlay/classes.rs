//! The classes that the task fires beside what one of them leads to; list and source follow the walk.

use std::time::Instant;

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use tui_input::Input;

use super::{Flow, Layer, Sieve};
use crate::engine::classes::FiredClass;
use crate::text::display::safe;
use crate::tui::command::{Command, Context};
use crate::tui::effect::Effect;
use crate::tui::model::Model;
use crate::tui::theme::Slot;
use crate::tui::update;
use crate::tui::view::{Canvas, text, window};

/// The window of classes; what it shows is the model's.
#[derive(Debug, Clone, Default)]
pub struct Classes {
    sieve: Sieve,
}

const ROWS: u16 = 11;

/// Matches of a page.
const PAGE: usize = 10;

impl Layer for Classes {
    fn contexts(&self) -> &'static [Context] {
        if self.sieve.is_typed() { &[] } else { &[Context::Concepts] }
    }

    fn field(&self) -> Option<&Input> {
        self.sieve.field()
    }

    fn field_mut(&mut self) -> Option<&mut Input> {
        self.sieve.field_mut()
    }

    fn changed(&mut self, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        model.concepts.filter = self.sieve.value().to_owned();
        update::concepts::go_to(model, 0);
    }

    fn covers(&self) -> u16 {
        ROWS
    }

    fn area(&self, model: &Model) -> Rect {
        window::foot(model.size, ROWS)
    }

    fn click(&mut self, place: Position, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        let [left, right, _] = parts(self.sieve.room(window::inside(self.area(model))));
        let stepper = &model.concepts;
        if let Some(class) = window::line_at(left, stepper.concept, stepper.concepts().len(), place) {
            update::concepts::turn_to(model, class);
        } else if let Some(row) = window::line_at(right, row(model), stepper.shown().len(), place) {
            update::concepts::go_to(model, row);
        }
    }

    fn run(&mut self, command: Command, model: &mut Model, now: Instant, effects: &mut Vec<Effect>) -> Flow {
        if self.sieve.run(command) {
            model.concepts.filter = self.sieve.value().to_owned();
            return Flow::Stay;
        }
        let row = model.concepts.row().unwrap_or(0);
        match command {
            Command::OverlayClose | Command::OverlayRun => return Flow::Close,
            Command::OverlayDown => update::run(model, Command::NextMatch, now, effects),
            Command::OverlayUp => update::run(model, Command::PreviousMatch, now, effects),
            Command::OverlayPageDown => update::concepts::go_to(model, row + PAGE),
            Command::OverlayPageUp => update::concepts::go_to(model, row.saturating_sub(PAGE)),
            Command::OverlayTop => update::concepts::go_to(model, 0),
            Command::OverlayBottom => update::concepts::go_to(model, usize::MAX),
            _ => return Flow::Pass,
        }
        Flow::Stay
    }

    fn draw(&self, canvas: &mut Canvas<'_>) {
        let stepper = &canvas.model.concepts;
        let dot = canvas.model.skin.glyphs.dot;
        let hint = format!("n N match {dot} Tab class {dot} M mute {dot} / filter {dot} + - vote");
        let mut inner = window::open(canvas, self.area(canvas.model), "classes fired by this task", &hint);
        self.sieve.draw(canvas, &mut inner);
        let words = match &stepper.answer {
            None => Some("looking".to_owned()),
            Some(Err(error)) => Some(safe(error).into_owned()),
            Some(Ok(found)) if found.is_empty() => Some("The task has no phrase of any class.".to_owned()),
            Some(Ok(_)) => None,
        };
        if let Some(words) = words {
            let line = Line::from(canvas.span(Slot::Dim, format!(" {words}")));
            canvas.line(inner, &line);
            return;
        }
        let [left, right, foot] = parts(inner);
        window::list(canvas, left, stepper.concept, stepper.concepts().len(), |canvas, row| {
            class_line(canvas, &stepper.concepts()[row], left.width as usize)
        });
        let Some(class) = stepper.current() else { return };
        let shown = stepper.shown();
        window::list(canvas, right, row(canvas.model), shown.len(), |canvas, row| {
            match_line(canvas, class, shown[row], right.width as usize)
        });
        let words = without(canvas.model, class);
        let words = text::fit(&words, foot.width as usize, canvas.model.skin.glyphs.ellipsis).into_owned();
        let line = Line::from(canvas.span(Slot::Dim, words));
        canvas.line(foot, &line);
    }
}

/// The rooms of the classes, of the matches of one of them, and of the line below both.
fn parts(inner: Rect) -> [Rect; 3] {
    let height = inner.height.saturating_sub(1);
    let left = Rect { width: inner.width * 9 / 20, height, ..inner };
    let right =
        Rect { x: inner.x + left.width + 1, width: inner.width.saturating_sub(left.width + 1), height, ..inner };
    [left, right, Rect { y: inner.y + height, height: inner.height - height, ..inner }]
}

/// The selected row of the matches; none is when none was stepped to.
fn row(model: &Model) -> usize {
    model.concepts.row().unwrap_or(usize::MAX)
}

/// What muting the class would do, in words.
fn without(model: &Model, class: &FiredClass) -> String {
    let concept = safe(&class.concept);
    let Some(without) = model.concepts.mute_effect().filter(|_| !class.muted) else {
        return match (class.muted, class.symbols.is_empty()) {
            (true, _) => format!(" {concept} is muted; M hears it again"),
            (false, true) => format!(" {concept} leads to no symbol here"),
            (false, false) => format!(" without {concept}:"),
        };
    };
    let moved = match without.moved {
        0 => format!("none of {} symbols changes place", without.most),
        1 => format!("1 of {} symbols changes place", without.most),
        moved => format!("{moved} of {} symbols change place", without.most),
    };
    let left = match without.left {
        0 => String::new(),
        1 => ", 1 leaves".to_owned(),
        left => format!(", {left} leave"),
    };
    let first = match without.first {
        Some(1) => String::new(),
        Some(place) => format!(", #1 falls to #{place}"),
        None => ", #1 is not ranked any more".to_owned(),
    };
    format!(" without {concept}: {moved}{left}{first}")
}

fn class_line(canvas: &Canvas<'_>, class: &FiredClass, width: usize) -> Line<'static> {
    let ellipsis = canvas.model.skin.glyphs.ellipsis;
    let figure = match class.muted {
        true => "muted".to_owned(),
        false => canvas.model.concepts.shown_of(class).len().to_string(),
    };
    let layer = class.layer.name();
    let room = width.saturating_sub(2 + figure.len() + 1);
    let phrases: Vec<&str> = class.phrases.iter().map(|(phrase, _)| phrase.as_str()).collect();
    let name = text::fit(&safe(&class.concept), room, ellipsis).into_owned();
    let rest = format!(" {layer}: {}", safe(&phrases.join(", ")));
    let rest = text::fit(&rest, room.saturating_sub(text::width(&name)), ellipsis).into_owned();
    let used = text::width(&name) + text::width(&rest);
    Line::from(vec![
        canvas.span(if class.muted { Slot::Dim } else { Slot::Name }, name),
        canvas.span(Slot::Dim, text::pad(&rest, room.saturating_sub(used) + text::width(&rest))),
        canvas.span(Slot::Tokens, format!(" {figure}")),
    ])
}

fn match_line(canvas: &Canvas<'_>, class: &FiredClass, row: usize, width: usize) -> Line<'static> {
    let model = canvas.model;
    let ellipsis = model.skin.glyphs.ellipsis;
    let found = &class.symbols[row];
    let place = model.panes.pack.index_of(found.symbol.id);
    let state = match place {
        Some(place) if model.panes.pack.is_packed(place) => format!("packed #{}", model.panes.pack.ranks[place]),
        Some(place) => format!("cut #{}", model.panes.pack.ranks[place]),
        None => found.place.map_or("not ranked".to_owned(), |place| format!("#{place}")),
    };
    let vote = model.feedback.mark(found.symbol.id, &model.task, model.skin.glyphs.dot);
    let room = width.saturating_sub(16);
    let name = text::fit(&safe(&found.symbol.name), room * 3 / 5, ellipsis).into_owned();
    let file = format!(" {}:{}", safe(&found.symbol.file), found.symbol.span.name_line);
    let left = room.saturating_sub(text::width(&name));
    let file = if left > 6 { format!(" {}", text::fit_end(&file[1..], left - 1, ellipsis)) } else { String::new() };
    let name_width = text::width(&name);
    Line::from(vec![
        canvas.span(Slot::Text, format!("{vote} ")),
        canvas.span(Slot::Name, name),
        canvas.span(Slot::Place, text::pad(&file, room.saturating_sub(name_width))),
        canvas.span(Slot::Dim, format!(" {state}")),
    ])
}
