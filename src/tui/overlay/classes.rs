//! The classes that the task fires: their phrases, and what they lead to.

use std::time::Instant;

use ratatui::text::Line;

use super::super::command::{Command, Context};
use super::super::effect::{Effect, Topic};
use super::super::model::Model;
use super::super::theme::Slot;
use super::super::update::ask;
use super::super::view::{Canvas, text, window};
use super::super::workspace::{Answer, Finding};
use super::{Flow, Layer, Overlay, moved};
use crate::engine::classes::FiredClass;
use crate::text::display::safe;

/// The window of classes.
#[derive(Debug, Clone)]
pub struct Classes {
    /// The number of the question that fills it.
    asked: u64,
    /// None until the answer has come.
    found: Option<Answer<Vec<FiredClass>>>,
    selected: usize,
}

const COLUMNS: u16 = 78;
const ROWS: u16 = 24;

/// Opens the window and asks for what it shows.
pub fn open(model: &mut Model, effects: &mut Vec<Effect>) {
    let task = model.task.task();
    let asked = ask(model, Topic::Classes { task }, effects);
    model.overlays.push(Overlay::Classes(Classes { asked, found: None, selected: 0 }));
}

impl Layer for Classes {
    fn contexts(&self) -> &'static [Context] {
        &[]
    }

    fn run(&mut self, command: Command, _model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) -> Flow {
        let len = self.classes().len();
        if let Some(selected) = moved(command, self.selected, len) {
            self.selected = selected;
            return Flow::Stay;
        }
        match command {
            Command::OverlayClose | Command::OverlayRun => Flow::Close,
            _ => Flow::Pass,
        }
    }

    fn found(&mut self, number: u64, finding: &Answer<Finding>) {
        if number == self.asked {
            match finding {
                Ok(Finding::Classes(classes)) => self.found = Some(Ok(classes.clone())),
                Ok(_) => {}
                Err(error) => self.found = Some(Err(error.clone())),
            }
        }
    }

    fn draw(&self, canvas: &mut Canvas<'_>) {
        let classes = self.classes();
        let inner = window::open(canvas, COLUMNS, ROWS, "classes fired by this task", "");
        let words = match &self.found {
            None => Some("looking".to_owned()),
            Some(Err(error)) => Some(safe(error).into_owned()),
            Some(Ok(found)) if found.is_empty() => Some("The task has no phrase of any class.".to_owned()),
            Some(Ok(_)) => None,
        };
        if let Some(words) = words {
            let line = Line::from(canvas.span(Slot::Dim, format!(" {words}")));
            canvas.line(inner, &line);
        }
        window::list(canvas, inner, self.selected, classes.len(), |canvas, row| {
            let fired = &classes[row];
            let phrases: Vec<&str> = fired.phrases.iter().map(|(phrase, _)| phrase.as_str()).collect();
            Line::from(vec![
                canvas.span(Slot::Name, text::pad(&safe(&fired.concept), 24)),
                canvas.span(Slot::Dim, text::pad(&safe(&phrases.join(", ")), 32)),
                canvas.span(Slot::Tokens, text::count(fired.symbols.len(), "symbol")),
            ])
        });
    }
}

impl Classes {
    fn classes(&self) -> &[FiredClass] {
        match &self.found {
            Some(Ok(classes)) => classes,
            _ => &[],
        }
    }
}
