//! The classes that the task fires beside what one of them leads to; list and source follow the walk.

use std::time::Instant;

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::super::command::{Command, Context};
use super::super::effect::Effect;
use super::super::model::Model;
use super::super::theme::Slot;
use super::super::view::{Canvas, text, window};
use super::{Flow, Layer};
use crate::engine::classes::FiredClass;
use crate::text::display::safe;

/// The window of classes; what it shows is the model's.
#[derive(Debug, Clone)]
pub struct Classes;

const ROWS: u16 = 11;

impl Layer for Classes {
    fn contexts(&self) -> &'static [Context] {
        &[Context::Classes]
    }

    fn covers(&self) -> u16 {
        ROWS
    }

    fn run(&mut self, command: Command, model: &mut Model, now: Instant, effects: &mut Vec<Effect>) -> Flow {
        match command {
            Command::OverlayClose | Command::OverlayRun => Flow::Close,
            Command::OverlayDown | Command::OverlayUp => {
                let twin = if command == Command::OverlayDown { Command::NextMatch } else { Command::PreviousMatch };
                super::super::update::run(model, twin, now, effects);
                Flow::Stay
            }
            _ => Flow::Pass,
        }
    }

    fn draw(&self, canvas: &mut Canvas<'_>) {
        let stepper = &canvas.model.classes;
        let dot = canvas.model.skin.glyphs.dot;
        let hint = format!("n N match {dot} Tab class {dot} M mute {dot} + - vote");
        let inner = window::sheet(canvas, ROWS, "classes fired by this task", &hint);
        let words = match &stepper.found {
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
        let left = Rect { width: inner.width * 9 / 20, ..inner };
        let right = Rect { x: inner.x + left.width + 1, width: inner.width.saturating_sub(left.width + 1), ..inner };
        window::list(canvas, left, stepper.class, stepper.classes().len(), |canvas, row| {
            class_line(canvas, &stepper.classes()[row], left.width as usize)
        });
        let Some(class) = stepper.current() else { return };
        let selected = stepper.place.unwrap_or(usize::MAX);
        window::list(canvas, right, selected, class.symbols.len(), |canvas, row| {
            match_line(canvas, class, row, right.width as usize)
        });
    }
}

fn class_line(canvas: &Canvas<'_>, class: &FiredClass, width: usize) -> Line<'static> {
    let ellipsis = canvas.model.skin.glyphs.ellipsis;
    let figure = match class.muted {
        true => "muted".to_owned(),
        false => class.symbols.len().to_string(),
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
    let place = model.pack.place_of(found.symbol.id);
    let state = match place {
        Some(place) if model.pack.is_packed(place) => format!("packed #{}", model.pack.ranks[place]),
        Some(place) => format!("cut #{}", model.pack.ranks[place]),
        None => found.place.map_or("not ranked".to_owned(), |place| format!("#{place}")),
    };
    let vote = model.judgements.mark(found.symbol.id, &model.task, model.skin.glyphs.dot);
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
