//! Commands that copy, write and print.

use super::{ask, feedback, navigation};
use crate::engine::EventKind;
use crate::model::Symbol;
use crate::text::display::safe;
use crate::tui::backend::{Answer, Response};
use crate::tui::effect::{Effect, TextRequest, Topic};
use crate::tui::model::Model;
use crate::tui::model::export::{self, Destination, Form, Written};
use crate::tui::overlay;
use crate::tui::panes::source;
use crate::tui::view::text;
use std::path::PathBuf;

/// Copies the signature and the location of the symbols that a key acts on.
pub fn copy_signature(model: &mut Model, effects: &mut Vec<Effect>) {
    let folder = model.folder.clone();
    copy_symbol(model, effects, "the signature", |symbol| {
        let signature = if symbol.is_section() { &symbol.name } else { &symbol.signature };
        format!("{signature}  {}", export::relative(&export::location(symbol), &folder))
    });
}

/// Copies the location: that of the cursor in the source, else of the symbols that a key acts on.
pub fn copy_location(model: &mut Model, effects: &mut Vec<Effect>) {
    let line = navigation::current_symbol(model).and_then(|symbol| source::cursor_line(model, symbol));
    let folder = model.folder.clone();
    let text = |symbol: &Symbol| match line {
        Some(line) => format!("{}:{line}", export::relative(&symbol.file, &folder)),
        None => export::relative(&export::location(symbol), &folder),
    };
    copy_symbol(model, effects, "the location", text);
}

/// Copies the command line that gives the same list.
pub fn copy_command(model: &Model, effects: &mut Vec<Effect>) {
    let text = export::command_line(&model.task.task(), Form::default(), &model.status.folders);
    let options = &model.task.options;
    let is_complete = options.pinned.is_empty() && options.dropped.is_empty();
    let what = if is_complete { "the command" } else { "the command (without pins and drops)" };
    effects.push(Effect::Copy { what: what.to_owned(), text });
}

/// Writes the pack to a file: the text that the export dialog previews, if the file was named there. A name with the
/// extension of another format chooses that format; the contents stay as chosen.
pub fn write(model: &mut Model, path: &str, effects: &mut Vec<Effect>) {
    let named = export::format_for_path(path);
    let destination = Destination::Write { path: PathBuf::from(path) };
    let form = match overlay::export::take_preview(model) {
        Some((form, written)) if named.is_none_or(|named| named == form.format) => {
            return deliver(model, &written, destination, effects);
        }
        Some((form, _)) => form,
        None => Form::default(),
    };
    request(model, Form { format: named.unwrap_or(form.format), ..form }, destination, effects);
}

/// Requests the pack in this format for a destination.
pub fn request(model: &mut Model, form: Form, destination: Destination, effects: &mut Vec<Effect>) {
    let task = model.task.task();
    let number = ask(model, Topic::Text(TextRequest::Pack { task, form }), effects);
    model.export.waiting.push((number, destination));
}

/// Delivers a requested text. Each one is: a copy that follows a write must not replace it.
pub fn answered(model: &mut Model, number: u64, response: &Answer<Response>, effects: &mut Vec<Effect>) {
    let waiting = model.export.waiting.iter().position(|(waiting, _)| *waiting == number);
    let Some((_, destination)) = waiting.map(|index| model.export.waiting.remove(index)) else { return };
    match response {
        Ok(Response::Text(written)) => deliver(model, written, destination, effects),
        Ok(_) => {}
        Err(error) => model.show_error(error.clone()),
    }
}

/// Copies, writes or prints a text.
pub fn deliver(model: &mut Model, written: &Written, destination: Destination, effects: &mut Vec<Effect>) {
    let text = written.text.clone();
    match destination {
        Destination::Copy { what } => {
            let what = match written.left_out {
                0 => what,
                more => format!("{what} without {}", text::count(more, "further neighbor")),
            };
            effects.push(Effect::Copy { what, text });
        }
        Destination::Write { path } => effects.push(Effect::Write { path, what: "the list".to_owned(), text }),
        Destination::Print => {
            model.export.printed = Some(text);
            effects.push(Effect::Quit);
        }
    }
}

/// Copies a line for each symbol that the key acts on.
fn copy_symbol(model: &mut Model, effects: &mut Vec<Effect>, what: &str, line: impl Fn(&Symbol) -> String) {
    let symbols = match navigation::targets(model) {
        Ok(symbols) => symbols,
        Err(reason) => return model.show_error(reason),
    };
    let what = match symbols.as_slice() {
        [only] => format!("{what} of {}", safe(&only.name)),
        symbols => format!("{what} of {}", text::count(symbols.len(), "symbol")),
    };
    let lines: Vec<String> = symbols.iter().map(line).collect();
    effects.push(Effect::Copy { what, text: lines.join("\n") });
    for symbol in &symbols {
        feedback::record_use(model, symbol, EventKind::Copy, effects);
    }
}

/// Copies the components of the score, which only ranked symbols have.
pub fn copy_explanation(model: &mut Model, effects: &mut Vec<Effect>) {
    let current = match navigation::definitions(model).and_then(navigation::only) {
        Ok(symbol) => symbol.id,
        Err(reason) => return model.show_error(reason),
    };
    let Some(packed) = model.panes.pack.symbols.iter().find(|packed| packed.symbol.id == current) else {
        return model.show_error("this symbol is not ranked");
    };
    let text = export::explanation(packed);
    copy_symbol(model, effects, "the explanation", |_| text.clone());
}

/// Copies the symbols of the selected concept, a line each.
pub fn copy_matches(model: &mut Model, effects: &mut Vec<Effect>) {
    match model.concepts.current() {
        Some(current) => {
            let what = format!("{} of {}", text::count(current.symbols.len(), "symbol"), safe(&current.concept));
            effects.push(Effect::Copy { what, text: export::matches(current) });
        }
        None => model.show_error("the task matches no concept"),
    }
}

/// Opens the editor at all marked symbols; shows the reason where no symbol is highlighted. Returns false for a single
/// symbol.
pub fn edit_marked(model: &mut Model, effects: &mut Vec<Effect>) -> bool {
    let symbols = match navigation::targets(model) {
        Ok(symbols) if symbols.len() == 1 => return false,
        Ok(symbols) => symbols,
        Err(reason) => {
            model.show_error(reason);
            return true;
        }
    };
    let own: Vec<&Symbol> = symbols.iter().filter(|symbol| !symbol.file.is_empty()).collect();
    if own.is_empty() {
        model.show_error("the marked symbols are defined outside the repository");
        return true;
    }
    let location = |symbol: &&Symbol| (symbol.file.clone(), symbol.span.name_line.max(1) as usize);
    effects.push(Effect::EditMarked(own.iter().map(location).collect()));
    feedback::opened(model, own.into_iter().cloned().collect());
    true
}

/// Copies the source of the current symbol.
pub fn copy_source(model: &mut Model, effects: &mut Vec<Effect>) {
    let symbol = match navigation::targets(model).and_then(navigation::only) {
        Ok(symbol) => symbol,
        Err(reason) => return model.show_error(reason),
    };
    let what = format!("the source of {}", safe(&symbol.name));
    feedback::record_use(model, &symbol, EventKind::Copy, effects);
    let number = ask(model, Topic::Text(TextRequest::Body { symbol }), effects);
    model.export.waiting.push((number, Destination::Copy { what }));
}

/// Copies the list in a format for agents.
pub fn copy_pack(model: &mut Model, format: &'static str, effects: &mut Vec<Effect>) {
    let what = format!("the list as {format}");
    request(model, Form { format, ..Form::default() }, Destination::Copy { what }, effects);
}

/// Quits and prints the list.
pub fn print(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.task.text().is_empty() {
        effects.push(Effect::Quit);
    } else {
        request(model, Form::default(), Destination::Print, effects);
    }
}
