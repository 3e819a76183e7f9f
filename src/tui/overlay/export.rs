//! The dialog before a pack is given out: its form, its exact size, its first lines, and where it goes.

use std::time::Instant;

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{Flow, Layer, Overlay, palette};
use crate::text::display::safe;
use crate::tui::clipboard::size;
use crate::tui::command::{Command, Context};
use crate::tui::effect::{Effect, TextRequest, Topic};
use crate::tui::model::Model;
use crate::tui::model::export::{Destination, Form, Written, formats};
use crate::tui::theme::Slot;
use crate::tui::update::{ask, export};
use crate::tui::view::{Canvas, text, window};
use crate::tui::workspace::{Answer, Finding};

/// The dialog.
#[derive(Debug, Clone)]
pub struct Export {
    form: Form,
    to: To,
    /// The number of the question about the form shown.
    asked: u64,
    /// None until the answer has come.
    written: Option<Answer<Written>>,
    /// Tokens by form, as far as they are known.
    known: Vec<(Form, usize)>,
}

/// Where the pack goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum To {
    Clipboard,
    File,
    Stdout,
}

const COLUMNS: u16 = 78;
const ROWS: u16 = 16;

/// Opens the dialog and asks for the size of the default form.
pub fn open(model: &mut Model, effects: &mut Vec<Effect>) {
    let form = Form::default();
    let asked = size_up(model, form, effects);
    model.overlays.push(Overlay::Export(Export { form, to: To::Clipboard, asked, written: None, known: Vec::new() }));
}

fn size_up(model: &mut Model, form: Form, effects: &mut Vec<Effect>) -> u64 {
    let task = model.task.task();
    ask(model, Topic::Text(TextRequest::Pack { task, form }), effects)
}

impl Export {
    fn change(&mut self, form: Form, model: &mut Model, effects: &mut Vec<Effect>) -> Flow {
        self.form = form;
        self.written = None;
        self.asked = size_up(model, form, effects);
        Flow::Stay
    }

    /// What was shown is what is given out: not a byte of it is made anew.
    fn commit(&self, model: &mut Model, effects: &mut Vec<Effect>) -> Flow {
        let Some(Ok(written)) = &self.written else {
            model.show_message("the pack is still being written");
            return Flow::Stay;
        };
        let what = format!("the pack as {}", self.form.format);
        match self.to {
            To::Clipboard if self.too_large(model) => {
                let limit = size(model.clipboard.limit().unwrap_or_default());
                model.show_error(format!("more than the {limit} that are sure to arrive; w writes a file instead"));
                return Flow::Stay;
            }
            To::Clipboard => export::deliver(model, written, Destination::Copy { what }, effects),
            To::File => palette::toggle(model, &format!("{} {}", Command::ExportFile.spec().name, self.file_name())),
            To::Stdout => export::deliver(model, written, Destination::Print, effects),
        }
        Flow::Close
    }

    fn file_name(&self) -> String {
        let ending = if self.form.format == "markdown" { "md" } else { self.form.format };
        format!("knowing-pack.{ending}")
    }

    fn too_large(&self, model: &Model) -> bool {
        let Some(Ok(written)) = &self.written else { return false };
        self.to == To::Clipboard && model.clipboard.limit().is_some_and(|limit| written.text.len() > limit)
    }
}

impl Layer for Export {
    fn contexts(&self) -> &'static [Context] {
        &[Context::Export]
    }

    fn run(&mut self, command: Command, model: &mut Model, _now: Instant, effects: &mut Vec<Effect>) -> Flow {
        match command {
            Command::OverlayClose => Flow::Close,
            Command::OverlayRun => self.commit(model, effects),
            Command::ExportFormat => {
                let formats = formats();
                let place = formats.iter().position(|format| *format == self.form.format).map_or(0, |place| place + 1);
                let format = formats[place % formats.len()];
                self.change(Form { format, ..self.form }, model, effects)
            }
            Command::ExportBodies => self.change(Form { bodies: !self.form.bodies, ..self.form }, model, effects),
            Command::ExportEdges => self.change(Form { edges: !self.form.edges, ..self.form }, model, effects),
            Command::ExportTo => {
                self.to = match self.to {
                    To::Clipboard => To::File,
                    To::File => To::Stdout,
                    To::Stdout => To::Clipboard,
                };
                Flow::Stay
            }
            Command::ExportFile => {
                self.to = To::File;
                self.commit(model, effects)
            }
            _ => Flow::Pass,
        }
    }

    fn found(&mut self, number: u64, finding: &Answer<Finding>) {
        if number != self.asked {
            return;
        }
        match finding {
            Ok(Finding::Text(written)) => {
                self.known.retain(|(form, _)| *form != self.form);
                self.known.push((self.form, written.tokens));
                self.written = Some(Ok(written.clone()));
            }
            Ok(_) => {}
            Err(error) => self.written = Some(Err(error.clone())),
        }
    }

    fn area(&self, model: &Model) -> Rect {
        window::middle(model.size, COLUMNS, ROWS)
    }

    fn draw(&self, canvas: &mut Canvas<'_>) {
        let title = match &self.written {
            Some(Ok(written)) => {
                format!("export {} {}", canvas.model.skin.glyphs.dot, text::count(written.symbols, "symbol"))
            }
            _ => "export".to_owned(),
        };
        let inner = window::open(canvas, self.area(canvas.model), &title, "Enter gives it out, Esc closes");
        for (row, line) in self.lines(canvas, inner.height as usize).iter().enumerate() {
            canvas.line(Canvas::row(inner, row), line);
        }
    }
}

/// Columns of the names on the left.
const LABEL: usize = 11;

impl Export {
    fn lines(&self, canvas: &Canvas<'_>, height: usize) -> Vec<Line<'static>> {
        let on = |name: &str, chosen: bool| format!("{} {name}   ", if chosen { "(*)" } else { "( )" });
        let check = |name: &str, chosen: bool| format!("{} {name}   ", if chosen { "[x]" } else { "[ ]" });
        let formats: String = formats().into_iter().map(|format| on(format, format == self.form.format)).collect();
        let include = check("b bodies", self.form.bodies) + &check("e edges", self.form.edges);
        let by = canvas.model.clipboard.name();
        let to =
            on(by, self.to == To::Clipboard) + &on("file", self.to == To::File) + &on("stdout", self.to == To::Stdout);
        let row = |label: &str, words: String| {
            Line::from(vec![canvas.span(Slot::HintKey, text::pad(label, LABEL)), canvas.span(Slot::Text, words)])
        };
        let mut lines = vec![row(" f format", formats), row("   include", include), row(" t to", to), Line::default()];
        lines.push(self.size_line(canvas));
        if self.too_large(canvas.model) {
            let words = canvas.span(Slot::Error, "too large for this clipboard, w writes a file".to_owned());
            lines.push(Line::from(vec![canvas.span(Slot::HintKey, text::pad("", LABEL)), words]));
        }
        let others: Vec<String> = self.known.iter().filter(|(form, _)| *form != self.form).map(known).collect();
        if !others.is_empty() {
            lines.push(row("", others.join(", ")));
        }
        lines.push(Line::default());
        if let Some(Ok(written)) = &self.written {
            let room = height.saturating_sub(lines.len());
            let first = written.text.lines().take(room);
            lines.extend(first.map(|line| Line::from(canvas.span(Slot::Dim, format!(" {}", safe(line))))));
        }
        lines
    }

    fn size_line(&self, canvas: &Canvas<'_>) -> Line<'static> {
        let budget = canvas.model.task.budget_tokens;
        let words = match &self.written {
            None => canvas.span(Slot::Dim, "counting".to_owned()),
            Some(Err(error)) => canvas.span(Slot::Error, safe(error).into_owned()),
            Some(Ok(written)) => {
                let mut words =
                    format!("exactly {} tokens of {}", text::thousands(written.tokens), text::thousands(budget));
                words.push_str(&format!(", {}", size(written.text.len())));
                if written.missing > 0 {
                    words.push_str(&format!("; {} not as indexed", text::count(written.missing, "file")));
                }
                canvas.span(if self.too_large(canvas.model) { Slot::Error } else { Slot::Tokens }, words)
            }
        };
        Line::from(vec![canvas.span(Slot::HintKey, text::pad("   size", LABEL)), words])
    }
}

fn known((form, tokens): &(Form, usize)) -> String {
    let bodies = if form.bodies { " with bodies" } else { "" };
    let edges = if form.edges { "" } else { " without edges" };
    format!("{}{bodies}{edges} {}", form.format, text::thousands(*tokens))
}
