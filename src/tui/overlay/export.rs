//! The export dialog: format and contents of the pack, its exact size, a preview, and the target.

use std::time::Instant;

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{EventResult, Overlay, Window, palette};
use crate::text::display::safe;
use crate::tui::backend::{Answer, Response};
use crate::tui::clipboard::format_size;
use crate::tui::command::{Command, Context};
use crate::tui::effect::{Effect, TextRequest, Topic};
use crate::tui::model::Model;
use crate::tui::model::export::{Destination, Form, Written, formats};
use crate::tui::panes::source::SourceLine;
use crate::tui::textmate;
use crate::tui::theme::Slot;
use crate::tui::update::{ask, export};
use crate::tui::view::{Canvas, text, window};

/// The export dialog.
#[derive(Debug, Clone)]
pub struct Export {
    form: Form,
    target: Target,
    /// The number of the request for the form shown.
    request_number: u64,
    /// `None` until the response arrives.
    rendered: Option<Answer<Written>>,
    /// The first lines of the text.
    preview: Vec<SourceLine>,
    /// Token counts of the forms rendered so far.
    token_counts: Vec<(Form, usize)>,
}

/// The target of the pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    Clipboard,
    File,
    Stdout,
}

const COLUMNS: u16 = 78;
const ROWS: u16 = 16;

/// Opens the dialog and requests the pack in the default form.
pub fn open(model: &mut Model, effects: &mut Vec<Effect>) {
    let form = Form::default();
    let request_number = request_form(model, form, effects);
    model.overlays.push(Overlay::Export(Export {
        form,
        target: Target::Clipboard,
        request_number,
        rendered: None,
        preview: Vec::new(),
        token_counts: Vec::new(),
    }));
}

/// Closes the dialog below the palette, if it is open, and returns its form and the text that it previews.
pub fn take_preview(model: &mut Model) -> Option<(Form, Written)> {
    let Some(Overlay::Export(Export { form, rendered: Some(Ok(_)), .. })) = model.overlays.last() else { return None };
    let form = *form;
    match model.overlays.pop() {
        Some(Overlay::Export(Export { rendered: Some(Ok(written)), .. })) => Some((form, written)),
        _ => None,
    }
}

fn request_form(model: &mut Model, form: Form, effects: &mut Vec<Effect>) -> u64 {
    let task = model.task.task();
    ask(model, Topic::Text(TextRequest::Pack { task, form }), effects)
}

impl Export {
    fn set_form(&mut self, form: Form, model: &mut Model, effects: &mut Vec<Effect>) -> EventResult {
        self.form = form;
        self.rendered = None;
        self.request_number = request_form(model, form, effects);
        EventResult::Consumed
    }

    /// Exports exactly the text that was previewed; nothing is rendered again.
    fn export(&self, model: &mut Model, effects: &mut Vec<Effect>) -> EventResult {
        let Some(Ok(written)) = &self.rendered else {
            model.show_message("the text is not ready yet");
            return EventResult::Consumed;
        };
        let what = format!("the list as {}", self.form.format);
        match self.target {
            Target::Clipboard if self.too_large(model) => {
                let limit = format_size(model.clipboard.max_bytes().unwrap_or_default());
                model.show_error(format!("too large for this clipboard (limit {limit}); w writes a file"));
                return EventResult::Consumed;
            }
            Target::Clipboard => export::deliver(model, written, Destination::Copy { what }, effects),
            // The window stays below the palette: its preview is what is written.
            Target::File => {
                palette::offer_argument(model, Command::ExportFile, self.file_name());
                return EventResult::Consumed;
            }
            Target::Stdout => export::deliver(model, written, Destination::Print, effects),
        }
        EventResult::Close
    }

    fn file_name(&self) -> String {
        let ending = if self.form.format == "markdown" { "md" } else { self.form.format };
        format!("knowing-pack.{ending}")
    }

    fn too_large(&self, model: &Model) -> bool {
        let Some(Ok(written)) = &self.rendered else { return false };
        self.target == Target::Clipboard && model.clipboard.max_bytes().is_some_and(|limit| written.text.len() > limit)
    }
}

impl Window for Export {
    fn contexts(&self) -> &'static [Context] {
        &[Context::Export]
    }

    fn enter_label(&self) -> &'static str {
        "export"
    }

    fn run(&mut self, command: Command, model: &mut Model, _now: Instant, effects: &mut Vec<Effect>) -> EventResult {
        match command {
            Command::OverlayClose => EventResult::Close,
            Command::OverlayRun => self.export(model, effects),
            Command::ExportFormat => {
                let formats = formats();
                let next = formats.iter().position(|format| *format == self.form.format).map_or(0, |index| index + 1);
                let format = formats[next % formats.len()];
                self.set_form(Form { format, ..self.form }, model, effects)
            }
            Command::ExportBodies => self.set_form(Form { bodies: !self.form.bodies, ..self.form }, model, effects),
            Command::ExportEdges => self.set_form(Form { edges: !self.form.edges, ..self.form }, model, effects),
            Command::ExportTo => {
                self.target = match self.target {
                    Target::Clipboard => Target::File,
                    Target::File => Target::Stdout,
                    Target::Stdout => Target::Clipboard,
                };
                EventResult::Consumed
            }
            Command::ExportFile => {
                self.target = Target::File;
                self.export(model, effects)
            }
            _ => EventResult::Ignored,
        }
    }

    fn on_response(&mut self, number: u64, response: &Answer<Response>) {
        if number != self.request_number {
            return;
        }
        match response {
            Ok(Response::Text(written)) => {
                self.token_counts.retain(|(form, _)| *form != self.form);
                self.token_counts.push((self.form, written.tokens));
                let line = |line: &str| safe(line).chars().take(COLUMNS as usize).collect::<String>();
                let first: Vec<String> = written.text.lines().take(ROWS as usize).map(line).collect();
                self.preview = textmate::highlighted(&format!("pack.{}", self.form.format), &first);
                self.rendered = Some(Ok(written.clone()));
            }
            Ok(_) => {}
            Err(error) => self.rendered = Some(Err(error.clone())),
        }
    }

    fn area(&self, model: &Model) -> Rect {
        window::middle(model.size, COLUMNS, ROWS)
    }

    fn draw(&self, canvas: &mut Canvas<'_>) {
        let title = match &self.rendered {
            Some(Ok(written)) => {
                format!("export {} {}", canvas.model.appearance.glyphs.dot, text::count(written.symbols, "symbol"))
            }
            _ => "export".to_owned(),
        };
        let inner = window::open(canvas, self.area(canvas.model), &title, "Enter exports, Esc closes");
        for (row, line) in self.lines(canvas, inner.height as usize).iter().enumerate() {
            canvas.line(Canvas::row(inner, row), line);
        }
    }
}

/// Columns of the labels on the left.
const LABEL: usize = 11;

impl Export {
    fn lines(&self, canvas: &Canvas<'_>, height: usize) -> Vec<Line<'static>> {
        let on = |name: &str, chosen: bool| format!("{} {name}  ", if chosen { "(*)" } else { "( )" });
        let check = |name: &str, chosen: bool| format!("{} {name}   ", if chosen { "[x]" } else { "[ ]" });
        let formats: String = formats().into_iter().map(|format| on(format, format == self.form.format)).collect();
        let include = check("b bodies", self.form.bodies) + &check("e edges", self.form.edges);
        let by = canvas.model.clipboard.name();
        let to = on(by, self.target == Target::Clipboard)
            + &on("file", self.target == Target::File)
            + &on("stdout", self.target == Target::Stdout);
        let row = |label: &str, value: String| {
            Line::from(vec![canvas.span(Slot::HintKey, text::pad(label, LABEL)), canvas.span(Slot::Text, value)])
        };
        let mut lines = vec![row(" f format", formats), row("   include", include), row(" t to", to), Line::default()];
        lines.push(self.size_line(canvas));
        if self.too_large(canvas.model) {
            let warning = canvas.span(Slot::Error, "too large for this clipboard; w writes a file".to_owned());
            lines.push(Line::from(vec![canvas.span(Slot::HintKey, text::pad("", LABEL)), warning]));
        }
        let others: Vec<String> =
            self.token_counts.iter().filter(|(form, _)| *form != self.form).map(form_tokens).collect();
        if !others.is_empty() {
            lines.push(row("", others.join(", ")));
        }
        lines.push(Line::default());
        if let Some(Ok(_)) = &self.rendered {
            let room = height.saturating_sub(lines.len());
            let spans = |line: &SourceLine| {
                let pieces = line.iter().map(|(slot, piece)| canvas.span(*slot, piece.to_string()));
                std::iter::once(canvas.span(Slot::Text, " ")).chain(pieces).collect::<Vec<_>>()
            };
            lines.extend(self.preview.iter().take(room).map(|line| Line::from(spans(line))));
        }
        lines
    }

    fn size_line(&self, canvas: &Canvas<'_>) -> Line<'static> {
        let budget = canvas.model.task.budget_tokens;
        let size = match &self.rendered {
            None => canvas.span(Slot::Dim, "counting tokens".to_owned()),
            Some(Err(error)) => canvas.span(Slot::Error, safe(error).into_owned()),
            Some(Ok(written)) => {
                let mut size = format!("{} of {} tokens", text::thousands(written.tokens), text::thousands(budget));
                size.push_str(&format!(", {}", format_size(written.text.len())));
                if written.missing > 0 {
                    size.push_str(&format!("; {} changed since indexing", text::count(written.missing, "file")));
                }
                canvas.span(if self.too_large(canvas.model) { Slot::Error } else { Slot::Tokens }, size)
            }
        };
        Line::from(vec![canvas.span(Slot::HintKey, text::pad("   size", LABEL)), size])
    }
}

fn form_tokens((form, tokens): &(Form, usize)) -> String {
    let bodies = if form.bodies { " with bodies" } else { "" };
    let edges = if form.edges { "" } else { " without edges" };
    format!("{}{bodies}{edges} {}", form.format, text::thousands(*tokens))
}
