//! Giving things out: copies, files, standard output.

use std::path::PathBuf;
use std::time::Instant;

use super::{ask, judge, source};
use crate::engine::ActKind;
use crate::model::Symbol;
use crate::text::display::safe;
use crate::tui::command::Command;
use crate::tui::effect::{Effect, TextRequest, Topic};
use crate::tui::model::Model;
use crate::tui::model::export::{self, Form, Purpose, Written};
use crate::tui::overlay::{self, palette};
use crate::tui::view::text;
use crate::tui::workspace::{Answer, Response};

/// The commands that copy, write and print.
pub fn run(model: &mut Model, command: Command, _now: Instant, effects: &mut Vec<Effect>) -> bool {
    match command {
        Command::CopySymbol => copy_symbol(model, effects, "the signature", |symbol| {
            format!("{}  {}", symbol.signature, export::place(symbol))
        }),
        Command::CopyPlace => copy_symbol(model, effects, "the place", export::place),
        Command::CopyReasons => copy_reasons(model, effects),
        Command::CopyMatches => copy_matches(model, effects),
        Command::CopySource => copy_source(model, effects),
        Command::CopyPack | Command::CopyGcf => copy_pack(model, "gcf", effects),
        Command::CopyJson => copy_pack(model, "json", effects),
        Command::CopyMarkdown => copy_pack(model, "markdown", effects),
        Command::CopyXml => copy_pack(model, "xml", effects),
        Command::CopyCommand => {
            let text = export::command_line(&model.task.task(), Form::default());
            let options = &model.task.options;
            let whole = options.pinned.is_empty() && options.dropped.is_empty();
            let what = if whole { "the command" } else { "the command, which knows no pins and drops" };
            effects.push(Effect::Copy { what: what.to_owned(), text });
        }
        Command::ExportFile => palette::toggle(model, &format!("{} knowing-pack.gcf", command.entry().name)),
        Command::PrintPack => print(model, effects),
        Command::Export => overlay::export::open(model, effects),
        _ => return false,
    }
    true
}

/// Writes the pack to a file, in the format of its ending.
pub fn write(model: &mut Model, path: &str, effects: &mut Vec<Effect>) {
    let form = Form { format: export::format_of(path), ..Form::default() };
    request(model, form, Purpose::Write { path: PathBuf::from(path) }, effects);
}

/// Asks for the pack in this form; the answer is used as the purpose says.
pub fn request(model: &mut Model, form: Form, purpose: Purpose, effects: &mut Vec<Effect>) {
    let task = model.task.task();
    let number = ask(model, Topic::Text(TextRequest::Pack { task, form }), effects);
    model.export.waiting = Some((number, purpose));
}

/// Uses a text that was asked for; nothing happens for an answer that nobody waits for.
pub fn found(model: &mut Model, number: u64, finding: &Answer<Response>, effects: &mut Vec<Effect>) {
    if model.export.waiting.as_ref().is_none_or(|(waiting, _)| *waiting != number) {
        return;
    }
    let Some((_, purpose)) = model.export.waiting.take() else { return };
    match finding {
        Ok(Response::Text(written)) => deliver(model, written, purpose, effects),
        Ok(_) => {}
        Err(error) => model.complain(error.clone()),
    }
}

/// Gives a text out.
pub fn deliver(model: &mut Model, written: &Written, purpose: Purpose, effects: &mut Vec<Effect>) {
    let text = written.text.clone();
    match purpose {
        Purpose::Copy { what } => effects.push(Effect::Copy { what, text }),
        Purpose::Write { path } => effects.push(Effect::Write { path, what: "the pack".to_owned(), text }),
        Purpose::Print => {
            model.export.printed = Some(text);
            effects.push(Effect::Quit);
        }
    }
}

fn copy_symbol(model: &mut Model, effects: &mut Vec<Effect>, what: &str, text: impl Fn(&Symbol) -> String) {
    let Some(symbol) = source::subject(model).cloned() else { return model.complain("no symbol is selected") };
    let what = format!("{what} of {}", safe(&symbol.name));
    effects.push(Effect::Copy { what, text: text(&symbol) });
    judge::used(model, &symbol, ActKind::Copy, effects);
}

/// Only what is ranked has parts of a score.
fn copy_reasons(model: &mut Model, effects: &mut Vec<Effect>) {
    let subject = source::subject(model).map(|symbol| symbol.id);
    let Some(packed) = model.pack.symbols.iter().find(|packed| Some(packed.symbol.id) == subject) else {
        return model.complain("no ranked symbol is selected");
    };
    let text = export::explanation(packed);
    copy_symbol(model, effects, "the explanation", |_| text.clone());
}

/// A line for each symbol that the walked class leads to, in rank order.
fn copy_matches(model: &mut Model, effects: &mut Vec<Effect>) {
    match model.classes.current() {
        Some(class) => {
            let what = format!("{} of {}", text::count(class.symbols.len(), "symbol"), safe(&class.concept));
            effects.push(Effect::Copy { what, text: export::matches(class) });
        }
        None => model.complain("the task fires no class"),
    }
}

fn copy_source(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(symbol) = source::subject(model).cloned() else { return model.complain("no symbol is selected") };
    let what = format!("the source of {}", safe(&symbol.name));
    judge::used(model, &symbol, ActKind::Copy, effects);
    let number = ask(model, Topic::Text(TextRequest::Body { symbol }), effects);
    model.export.waiting = Some((number, Purpose::Copy { what }));
}

fn copy_pack(model: &mut Model, format: &'static str, effects: &mut Vec<Effect>) {
    let what = format!("the pack as {format}");
    request(model, Form { format, ..Form::default() }, Purpose::Copy { what }, effects);
}

fn print(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.task.text().is_empty() {
        effects.push(Effect::Quit);
    } else {
        request(model, Form::default(), Purpose::Print, effects);
    }
}
