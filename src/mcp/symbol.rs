//! `knowing_symbol`: one symbol by name or location.

use std::sync::Arc;

use serde_json::{Value, json};

use super::answer::{ToolAnswer, ToolError};
use super::arguments::{SymbolArguments, shown};
use super::context::with_notes;
use super::index_state::IndexState;
use super::job::Job;
use super::workspace::{Ready, Workspace};
use crate::engine::inspect::{NameLookup, lookup_name};
use crate::engine::{PartialIndex, Ranker, Relation};
use crate::exchange::Outcome;
use crate::model::Symbol;
use crate::render::scoped_name;
use crate::render::text::{heading, push_numbered};
use crate::text::tokens;

/// Limit of the symbols that are listed for an ambiguous name.
const MAX_CHOICES: usize = 20;

/// Answers a request.
///
/// # Errors
/// When the request can't be answered; the error has the next step.
pub fn answer(workspace: &Arc<Workspace>, arguments: &SymbolArguments, job: &Job) -> Result<ToolAnswer, ToolError> {
    match workspace.ready(job)? {
        Ready::Cancelled => Err(ToolError::cancelled()),
        Ready::Partial(partial, state) => partial_answer(&partial, arguments, &state),
        Ready::Complete(ranker, state) => {
            let answered = complete_answer(&ranker, arguments, &state);
            workspace.put_back(*ranker);
            answered
        }
    }
}

/// Returns the description of a symbol for structured answers.
pub fn record(symbol: &Symbol) -> Value {
    json!({
        "name": scoped_name(symbol),
        "kind": symbol.kind.name(),
        "file": symbol.file,
        "line": symbol.span.name_line,
        "start_line": symbol.span.start_line,
        "end_line": symbol.span.end_line,
        "signature": symbol.signature,
    })
}

fn complete_answer(ranker: &Ranker, arguments: &SymbolArguments, state: &IndexState) -> Result<ToolAnswer, ToolError> {
    let symbol = find(ranker, &arguments.symbol)?;
    let failed = |error: &dyn std::fmt::Display| ToolError::new(error.to_string());
    let mut notes: Vec<String> = state.note.iter().cloned().collect();
    let mut text = heading(&symbol);
    match ranker.body(&symbol) {
        Ok(body) => push_numbered(&mut text, &body, symbol.span.start_line),
        Err(error) => notes.push(error.to_string()),
    }
    let users = ranker.users(symbol.node).map_err(|error| failed(&error))?;
    let uses = ranker.uses(symbol.node).map_err(|error| failed(&error))?;
    push_relations(&mut text, "used by", &users);
    push_relations(&mut text, "uses", &uses);
    Ok(finish(&symbol, text, notes, state, arguments.budget))
}

fn push_relations(text: &mut String, title: &str, relations: &[Relation]) {
    text.push_str(&format!("# {title}: {}\n", relations.len()));
    for relation in relations {
        text.push_str(&format!("{} {}", relation.edge_type.name(), heading(&relation.symbol)));
    }
}

/// Returns the answer, truncated to the budget.
fn finish(symbol: &Symbol, text: String, notes: Vec<String>, state: &IndexState, budget: usize) -> ToolAnswer {
    let mut text = with_notes(&notes, &text);
    let mut left = budget;
    let fitting: usize = text
        .split_inclusive('\n')
        .take_while(|line| {
            let cost = tokens::count(line);
            let fits = cost <= left;
            left = left.saturating_sub(cost);
            fits
        })
        .map(str::len)
        .sum();
    if fitting < text.len() {
        text.truncate(fitting);
        text.push_str("# cut at the budget; raise `budget` for the rest\n");
    }
    let structured =
        json!({ "notes": notes, "index": state.structured(), "symbol": record(symbol), "text": text.clone() });
    let (outcome, index) = (Outcome::Answered, state.record());
    ToolAnswer { text, structured, outcome, index, pack: None, message: None }
}

/// Returns the symbol of a name or location. No other symbol stands for an unknown one.
fn find(ranker: &Ranker, wanted: &str) -> Result<Symbol, ToolError> {
    let failed = |error: &dyn std::fmt::Display| ToolError::new(error.to_string());
    if let Some((file, line)) = location(wanted) {
        let definitions = ranker.reader().symbols_of_file(file).map_err(|error| failed(&error))?;
        if !definitions.is_empty() {
            return innermost(definitions, line).ok_or_else(|| {
                ToolError::new(format!(
                    "no definition at {}; knowing_context with `files` lists the file's",
                    shown(wanted)
                ))
            });
        }
    }
    match lookup_name(ranker.reader(), wanted).map_err(|error| failed(&error))? {
        NameLookup::One(symbol) => Ok(*symbol),
        NameLookup::Ambiguous(choices) => {
            let choices: Vec<(String, &Symbol)> = choices.iter().map(|(name, symbol)| (name.clone(), symbol)).collect();
            Err(ambiguous(wanted, &choices))
        }
        NameLookup::Unknown { suggestions } => Err(unknown(wanted, &suggestions)),
    }
}

fn ambiguous(wanted: &str, choices: &[(String, &Symbol)]) -> ToolError {
    let mut text = format!("{} symbols are called `{}`; ask for one of these:", choices.len(), shown(wanted));
    for (name, symbol) in choices.iter().take(MAX_CHOICES) {
        text.push_str(&format!("\n{name}  {}", heading(symbol).trim_end()));
    }
    if let more @ 1.. = choices.len().saturating_sub(MAX_CHOICES) {
        text.push_str(&format!("\nand {more} more"));
    }
    ToolError::new(text)
}

fn unknown(wanted: &str, near: &[String]) -> ToolError {
    let wanted = shown(wanted);
    ToolError::new(match near {
        [] => format!("no symbol is called `{wanted}`; describe it in a knowing_context task"),
        near => format!("no symbol is called `{wanted}`; near names: {}", near.join(", ")),
    })
}

/// Splits `src/app.py:120`, also with a column.
fn location(text: &str) -> Option<(&str, u32)> {
    let (before, last) = text.rsplit_once(':')?;
    let last: u32 = last.parse().ok()?;
    match before.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?))) {
        Some((file, line)) => Some((file, line)),
        None => Some((before, last)),
    }
    .map(|(file, line)| (file.strip_prefix("./").unwrap_or(file), line))
}

/// Returns the smallest definition that has a line.
fn innermost(definitions: Vec<Symbol>, line: u32) -> Option<Symbol> {
    let has_line = |symbol: &Symbol| (symbol.span.start_line..=symbol.span.end_line).contains(&line);
    definitions.into_iter().filter(has_line).min_by_key(|symbol| symbol.span.end_byte - symbol.span.start_byte)
}

/// Returns an answer from the definitions that were found so far.
fn partial_answer(
    partial: &PartialIndex,
    arguments: &SymbolArguments,
    state: &IndexState,
) -> Result<ToolAnswer, ToolError> {
    let wanted = arguments.symbol.as_str();
    let found = match location(wanted) {
        Some((file, line)) => innermost(partial.definitions(file), line).into_iter().collect(),
        None => partial.symbols_named(wanted),
    };
    let note = state.note.clone().unwrap_or_default();
    match found.as_slice() {
        [] => Err(ToolError::new(format!("`{}` was not found yet. {note}", shown(wanted)))),
        [symbol] => {
            let text = format!("{}    {}\n", heading(symbol), symbol.signature);
            let answer = finish(symbol, text, vec![note], state, arguments.budget);
            Ok(ToolAnswer { outcome: Outcome::Partial, ..answer })
        }
        several => {
            let choices: Vec<(String, &Symbol)> =
                several.iter().map(|symbol| (format!("{}:{}", symbol.file, symbol.span.name_line), symbol)).collect();
            Err(ambiguous(wanted, &choices))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_have_a_line_and_maybe_a_column() {
        assert_eq!(location("src/a.py:12"), Some(("src/a.py", 12)));
        assert_eq!(location("./src/a.py:12:7"), Some(("src/a.py", 12)));
        for name in ["Flask.route", "a::b", "a:b", "a.py:", "a.py:-1"] {
            assert_eq!(location(name), None, "{name}");
        }
    }
}
