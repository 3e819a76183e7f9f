//! `knowing_symbol`: one symbol by name or location, or a question about it.

use std::sync::Arc;

use serde_json::{Value, json};

use super::answer::{ToolAnswer, ToolError};
use super::arguments::SymbolArguments;
use super::context::with_notes;
use super::index_state::IndexState;
use super::job::Job;
use super::served::{Ready, ServedRepository};
use super::structured::fit;
use crate::engine::{EngineError, MAX_ANSWER_ROWS, PartialIndex, Ranker};
use crate::exchange::Outcome;
use crate::model::{Question, Subject, Symbol, Task};
use crate::render::text::heading;
use crate::render::{question, scoped_name, symbol};
use crate::text::display::excerpt;
use crate::text::tokens;

/// Limit of the symbols that are listed for an ambiguous name.
const MAX_CHOICES: usize = 20;

/// Answers a request.
///
/// # Errors
/// When the request can't be answered; the error has the next step.
pub fn answer(
    repository: &Arc<ServedRepository>,
    arguments: &SymbolArguments,
    job: &Job,
) -> Result<ToolAnswer, ToolError> {
    match repository.ready(job)? {
        Ready::Cancelled => Err(ToolError::cancelled()),
        Ready::Partial(partial, state) => partial_answer(&partial, arguments, &state),
        Ready::Complete(ranker, state) => {
            let answered = match structural(arguments) {
                Some(question) => question_answer(&ranker, &question, arguments.budget, &state),
                None => details_answer(&ranker, arguments, &state),
            };
            repository.put_back(*ranker);
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

fn structural(arguments: &SymbolArguments) -> Option<Question> {
    let of = arguments.symbol.clone();
    Some(match arguments.question? {
        "callers" => Question::Callers { of, depth: 1 },
        "callees" => Question::Callees { of, depth: 1 },
        "impact" => Question::Impact { of: Subject::Symbol(of), depth: Question::UNLIMITED },
        _ => Question::Tests { of: Subject::Symbol(of) },
    })
}

/// Answers a structural question within the budget.
///
/// # Errors
/// When a name refers to no symbol or to several, or the store can't be read.
pub fn question_answer(
    ranker: &Ranker,
    asked: &Question,
    budget: usize,
    state: &IndexState,
) -> Result<ToolAnswer, ToolError> {
    let answer = ranker.questions().and_then(|questions| questions.ask(asked, MAX_ANSWER_ROWS)).map_err(next_step)?;
    let notes: Vec<String> = state.note.iter().cloned().collect();
    let is_empty = answer.rows.is_empty();
    let structured = serde_json::to_value(question::record(&answer)).unwrap_or_default();
    let value = json!({ "answer": structured });
    let for_notes = tokens::count(&with_notes(&notes, ""));
    let mut finished = finish(value, question::text(&answer), notes, state, budget);
    // The rows say the same.
    finished.structured.as_object_mut().and_then(|content| content.remove("text"));
    finished.structured = fit(finished.structured, budget.saturating_sub(for_notes));
    if is_empty {
        finished.outcome = Outcome::Nothing;
    }
    Ok(finished)
}

fn details_answer(ranker: &Ranker, arguments: &SymbolArguments, state: &IndexState) -> Result<ToolAnswer, ToolError> {
    let notes: Vec<String> = state.note.iter().cloned().collect();
    let found = ranker.questions().and_then(|questions| questions.named(&arguments.symbol)).map_err(next_step)?;
    let task = arguments.task.as_deref().map(Task::from_text);
    let details = ranker.details(&found, MAX_ANSWER_ROWS, task.as_ref()).map_err(next_step)?;
    let budget = arguments.budget.saturating_sub(tokens::count(&with_notes(&notes, "")));
    let text = symbol::text(&details, budget);
    Ok(finish(json!({ "symbol": record(&found) }), text, notes, state, arguments.budget))
}

/// Adds the next step to an error.
fn next_step(error: EngineError) -> ToolError {
    match &error {
        EngineError::Name(unknown) if unknown.is_unlike_all() => {
            ToolError::new(format!("{error}; describe it in a knowing_context task"))
        }
        _ => ToolError::new(error.to_string()),
    }
}

/// Returns the answer, cut to the budget.
fn finish(mut structured: Value, text: String, notes: Vec<String>, state: &IndexState, budget: usize) -> ToolAnswer {
    let mut text = with_notes(&notes, &text);
    let mut left = budget;
    let fits = |line: &&str| {
        let cost = tokens::count(line);
        let fits = cost <= left;
        left = left.saturating_sub(cost);
        fits
    };
    let fitting: usize = text.split_inclusive('\n').take_while(fits).map(str::len).sum();
    if fitting < text.len() {
        text.truncate(fitting);
        text.push_str("… cut; a larger `budget` shows all\n");
    }
    structured["notes"] = json!(notes);
    structured["index"] = state.structured();
    structured["text"] = json!(text);
    let (outcome, index) = (Outcome::Answered, state.record());
    ToolAnswer { text, structured, outcome, index, pack: None, whole_pack: None, delivered: None, message: None }
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
        [] => Err(ToolError::new(format!("`{}` was not found yet. {note}", excerpt(wanted)))),
        [symbol] => {
            let text = format!("{}    {}\n", heading(&symbol.file, symbol), symbol.signature);
            let answer = finish(json!({ "symbol": record(symbol) }), text, vec![note], state, arguments.budget);
            Ok(ToolAnswer { outcome: Outcome::Partial, ..answer })
        }
        several => {
            let lines: String = several
                .iter()
                .take(MAX_CHOICES)
                .map(|symbol| format!("\n{}", heading(&symbol.file, symbol).trim_end()))
                .collect();
            let count = several.len();
            Err(ToolError::new(format!(
                "{count} symbols are called `{}`; ask for one by path:line:{lines}",
                excerpt(wanted)
            )))
        }
    }
}

/// Splits `src/app.py:120`.
fn location(text: &str) -> Option<(&str, u32)> {
    let (file, line) = text.rsplit_once(':')?;
    Some((file.strip_prefix("./").unwrap_or(file), line.parse().ok()?))
}

/// Returns the smallest definition that has a line.
fn innermost(definitions: Vec<Symbol>, line: u32) -> Option<Symbol> {
    let has_line = |symbol: &Symbol| (symbol.span.start_line..=symbol.span.end_line).contains(&line);
    definitions.into_iter().filter(has_line).min_by_key(|symbol| symbol.span.end_byte - symbol.span.start_byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_have_a_line() {
        assert_eq!(location("src/a.py:12"), Some(("src/a.py", 12)));
        assert_eq!(location("./src/a.py:7"), Some(("src/a.py", 7)));
        for name in ["Flask.route", "a::b", "a:b", "a.py:", "a.py:-1"] {
            assert_eq!(location(name), None, "{name}");
        }
    }
}
