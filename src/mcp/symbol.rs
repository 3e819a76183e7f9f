//! `knowing_symbol`: one symbol by name or location, or a question about it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::answer::{ToolAnswer, ToolError, of_state};
use super::arguments::{DEFAULT_BUDGET, SymbolArguments};
use super::context::with_notes;
use super::index_state::IndexState;
use super::job::Job;
use super::projects::{Loaded, Selected};
use super::sessions::{Sent, SentAnswer};
use super::structured::fit;
use crate::engine::inspect::NameError;
use crate::engine::{EngineError, MAX_ANSWER_ROWS, Questions};
use crate::exchange::Outcome;
use crate::model::{Answer, Question, Request, SINGLE_REPOSITORY, Subject, Symbol, Task};
use crate::render::by_file::{self, Extent};
use crate::render::{question, scoped_name, symbol};
use crate::text::count;
use crate::text::display;
use crate::text::tokens;
use crate::workspace::Workspace;

/// Limit of the lines that are listed for a text that is not a name.
const MAX_LINES: usize = 12;
/// Limit of the rows of the rest of an answer.
const MAX_REST_ROWS: usize = 1_000;
/// Limit of the symbols of one name that are answered for, each by its own.
pub const MAX_NAMESAKES: usize = 3;

/// Answers a request about the selected projects.
///
/// # Errors
/// When the request can't be answered; the error has the next step. Of several names one that is known is enough.
pub fn answer(selected: &Selected<'_>, arguments: &SymbolArguments, job: &Job) -> Result<ToolAnswer, ToolError> {
    // While the first index is built, the files that have the names are read.
    let request = Request::Task(arguments.symbols.join(" "));
    match selected.load(&request, job)? {
        Loaded::Cancelled => Err(ToolError::cancelled()),
        Loaded::Workspace(mut workspace, state) => {
            let answered = own_names(&mut workspace, &arguments.symbols).and_then(|(names, notes)| {
                let budget = arguments.budget.saturating_sub(tokens::count(&with_notes(&notes, "")));
                let way_on = "a larger `budget` shows them";
                let mut reader = Reader { earlier: None, way_on, goes_beyond: false, above: BTreeSet::new() };
                let answered = each(&names, budget, &state, |name, budget, state| match structural(arguments, name) {
                    Some(question) => question_answer(&mut workspace, &question, budget, state, &mut reader),
                    None => details_answer(&mut workspace, arguments, name, budget, state),
                });
                answered.map(|answer| noted(answer, &notes))
            });
            selected.put_back(*workspace);
            of_state(answered, &state)
        }
    }
}

/// Adds notes to an answer.
fn noted(mut answer: ToolAnswer, notes: &[String]) -> ToolAnswer {
    answer.text = with_notes(notes, &answer.text);
    if let Some(known) = answer.structured["notes"].as_array_mut() {
        known.extend(notes.iter().map(|note| json!(note)));
    }
    answer
}

/// Returns the names, instead of one that a few symbols have each of theirs, with a note on it.
fn own_names(workspace: &mut Workspace, names: &[String]) -> Result<(Vec<String>, Vec<String>), ToolError> {
    let questions = workspace.questions().map_err(next_step)?;
    let (mut own, mut notes) = (Vec::new(), Vec::new());
    for name in names {
        match questions.named(name) {
            Err(EngineError::Name(error)) if (2..=MAX_NAMESAKES).contains(&error.choices.len()) => {
                notes.push(format!("{} symbols are called `{}`", error.choices.len(), display::safe(&error.name)));
                own.extend(error.choices.into_iter().map(|(name, _)| name));
            }
            // What is wrong with a name is told by its answer.
            _ => own.push(name.clone()),
        }
    }
    Ok((own, notes))
}

/// Answers for each name or question within its part of the budget, and joins the answers.
pub fn each<Asked>(
    asked: &[Asked],
    budget: usize,
    state: &IndexState,
    mut answer: impl FnMut(&Asked, usize, &IndexState) -> Result<ToolAnswer, ToolError>,
) -> Result<ToolAnswer, ToolError> {
    if let [only] = asked {
        return answer(only, budget, state);
    }
    let mut left = budget;
    let mut joined: Option<ToolAnswer> = None;
    let mut parts = Vec::new();
    let mut failed = Vec::new();
    for (index, one) in asked.iter().enumerate() {
        let share = left / (asked.len() - index);
        // The state of the index is said once.
        let own = if joined.is_none() { state.clone() } else { IndexState { note: None, ..state.clone() } };
        match answer(one, share, &own) {
            Ok(found) => {
                left = left.saturating_sub(tokens::count(&found.text) + 1);
                parts.push(found.structured.clone());
                match &mut joined {
                    Some(joined) => {
                        joined.text.push_str(&format!("\n{}", found.text));
                        joined.sent.extend(found.sent);
                    }
                    None => joined = Some(found),
                }
            }
            Err(error) if error.is_cancelled => return Err(error),
            Err(error) => {
                left = left.saturating_sub(tokens::count(&error.to_string()) + 1);
                failed.push(error);
            }
        }
    }
    let Some(mut joined) = joined else { return Err(ToolError::joined(&failed)) };
    failed.iter().for_each(|error| joined.text.push_str(&format!("\n{error}\n")));
    let notes = joined.structured["notes"].clone();
    joined.structured = json!({ "notes": notes, "index": state.structured(), "symbols": parts, "text": joined.text });
    joined.structured = fit(joined.structured, budget);
    Ok(joined)
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

fn structural(arguments: &SymbolArguments, name: &str) -> Option<Question> {
    let of = name.to_owned();
    Some(match arguments.question? {
        "callers" => Question::Callers { of, depth: 1 },
        "callees" => Question::Callees { of, depth: 1 },
        "impact" => Question::Impact { of: Subject::Symbol(of), depth: Question::UNLIMITED },
        _ => Question::Tests { of: Subject::Symbol(of) },
    })
}

/// Who reads the answers to the questions of a request.
pub struct Reader<'a> {
    /// The parts that were sent before, if the reader asks for the rest.
    pub earlier: Option<&'a Sent>,
    /// The way to what does not fit, and whether it leads to rows beyond the limit of an answer.
    pub way_on: &'static str,
    pub goes_beyond: bool,
    /// The lines that the answers so far have: two symbols of one name have the same.
    pub above: BTreeSet<(String, u32)>,
}

impl Reader<'_> {
    /// Leaves the rows that were sent before out of an answer to a question, and has the lines that the reader has only counted.
    /// Returns how many rows that were; `None` for who asks for no rest.
    fn leave_out_known(&self, question: &str, answer: &mut Answer) -> Option<usize> {
        let sent = self.earlier.and_then(|sent| sent.answers.get(question));
        let sent = sent.filter(|sent| !sent.symbols.is_empty() || !sent.lines.is_empty());
        let is_sent = |place: &(String, u32)| sent.is_some_and(|sent| sent.lines.contains(place));
        let places = answer.mentions.iter().map(|mention| mention.place());
        answer.known_lines = places.filter(|place| is_sent(place) || self.above.contains(place)).collect();
        match answer.known_lines.iter().filter(|place| !is_sent(place)).count() {
            0 => {}
            1 => answer.notes.push("1 line that names it is above".to_owned()),
            above => answer.notes.push(format!("{} that name it are above", count(above, "line"))),
        }
        let (sent, before) = (sent?, answer.rows.len());
        answer.rows.retain(|row| !sent.symbols.contains(&row.symbol.id));
        Some(before - answer.rows.len())
    }
}

/// Answers a structural question within the budget.
///
/// # Errors
/// When a name refers to no symbol or to several, or the store can't be read.
pub fn question_answer(
    workspace: &mut Workspace,
    asked: &Question,
    budget: usize,
    state: &IndexState,
    reader: &mut Reader<'_>,
) -> Result<ToolAnswer, ToolError> {
    let questions = workspace.questions().map_err(next_step)?;
    let notes: Vec<String> = state.note.iter().cloned().collect();
    let limit = if reader.earlier.is_some() { MAX_REST_ROWS } else { MAX_ANSWER_ROWS };
    let mut answer = match questions.ask(asked, limit) {
        Err(EngineError::Name(error)) if error.may_be_text() => {
            return lines_answer(&questions, *error, notes, state, budget);
        }
        answer => answer.map_err(next_step)?,
    };
    // A name that several symbols have is a question for each, and a row of one can be a row of another.
    let key = format!("{asked:?}");
    let sent_before = reader.leave_out_known(&key, &mut answer);
    questions.add_texts(&mut answer);
    let is_empty = answer.total == 0;
    let structured = serde_json::to_value(question::record(&answer)).unwrap_or_default();
    let value = json!({ "answer": structured });
    let for_notes = tokens::count(&with_notes(&notes, ""));
    let extent = Extent {
        max_tokens: budget.saturating_sub(for_notes),
        way_on: reader.way_on,
        goes_beyond: reader.goes_beyond,
        is_short: budget <= DEFAULT_BUDGET as usize && sent_before.is_none(),
        sent_before,
    };
    let written = by_file::text(&answer, &extent);
    let mut finished = finish(value, written.text, notes, state, budget);
    reader.above.extend(written.lines.iter().cloned());
    let sent = SentAnswer {
        symbols: answer.rows.iter().take(written.rows).map(|row| row.symbol.id).collect(),
        lines: written.lines.into_iter().chain(answer.known_lines).collect(),
    };
    finished.sent.answers = BTreeMap::from([(key, sent)]);
    // The rows say the same.
    finished.structured.as_object_mut().and_then(|content| content.remove("text"));
    finished.structured = fit(finished.structured, budget.saturating_sub(for_notes));
    if is_empty {
        finished.outcome = Outcome::Nothing;
    }
    Ok(finished)
}

fn details_answer(
    workspace: &mut Workspace,
    arguments: &SymbolArguments,
    name: &str,
    budget: usize,
    state: &IndexState,
) -> Result<ToolAnswer, ToolError> {
    let notes: Vec<String> = state.note.iter().cloned().collect();
    let questions = workspace.questions().map_err(next_step)?;
    let found = match questions.named(name) {
        Err(EngineError::Name(error)) if error.may_be_text() => {
            return lines_answer(&questions, *error, notes, state, budget);
        }
        found => found.map_err(next_step)?,
    };
    // A name that differs in case is another one where lines of code have the name as it was asked for.
    if is_another_case(name, &found) {
        let (lines, _) = questions.lines_with(name, 1).map_err(next_step)?;
        if lines.iter().any(|line| line.is_indexed) {
            let suggestions = vec![found.short_name().to_owned()];
            let error = NameError { name: name.to_owned(), suggestions, ..NameError::default() };
            return lines_answer(&questions, error, notes, state, budget);
        }
    }
    let task = arguments.task.as_deref().map(Task::from_text);
    let details = workspace.details(&found, MAX_ANSWER_ROWS, task.as_ref()).map_err(next_step)?;
    let for_text = budget.saturating_sub(tokens::count(&with_notes(&notes, "")));
    let text = symbol::text(&details, for_text);
    Ok(finish(json!({ "symbol": record(&found) }), text, notes, state, budget))
}

/// Returns whether a name without others before it is that of a symbol only if case does not count.
fn is_another_case(name: &str, found: &Symbol) -> bool {
    name != found.name && name.to_lowercase() == found.name.to_lowercase()
}

/// Returns the lines that have the name of a question about users which no symbol has, such as that of a flag or of code outside;
/// `None` if there are none, or it is a word of a sentence.
///
/// # Errors
/// When a store can't be read.
pub fn lines_of_unknown(
    workspace: &mut Workspace,
    task: &str,
    budget: usize,
    state: &IndexState,
) -> Result<Option<ToolAnswer>, ToolError> {
    let Some(error) = workspace.unknown_name(task).map_err(next_step)? else { return Ok(None) };
    let questions = workspace.questions().map_err(next_step)?;
    let notes = state.note.iter().cloned().collect();
    match lines_answer(&questions, *error, notes, state, budget) {
        Ok(answer) => Ok(Some(answer)),
        // The task is ranked, and says that nothing has the name.
        Err(_) => Ok(None),
    }
}

/// Returns the lines that have a text which no symbol has as its name; an error if there are none.
fn lines_answer(
    questions: &Questions<'_>,
    error: NameError,
    notes: Vec<String>,
    state: &IndexState,
    budget: usize,
) -> Result<ToolAnswer, ToolError> {
    // The last name of a member that no type declares is all that its lines have of it.
    let last = error.name.rsplit(['.', ':', '#']).next().filter(|last| is_distinct(last));
    for text in std::iter::once(error.name.as_str()).chain(last.filter(|last| *last != error.name)) {
        let (lines, count) = questions.lines_with(text, MAX_LINES).map_err(next_step)?;
        if lines.is_empty() {
            continue;
        }
        let of = if text == error.name { String::new() } else { format!("of `{text}`, ") };
        let head = format!("{}\n{}", display::safe(&error.to_string()), display::safe(&of));
        let text = head + &question::occurrences(&lines, count, &SINGLE_REPOSITORY);
        return Ok(finish(json!({}), text, notes, state, budget));
    }
    Err(next_step(error.into()))
}

/// Returns whether a name is no word of a sentence.
fn is_distinct(name: &str) -> bool {
    name.chars().enumerate().any(|(index, letter)| letter == '_' || index > 0 && letter.is_uppercase())
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
    ToolAnswer {
        text,
        structured,
        outcome,
        index,
        pack: None,
        whole_pack: None,
        delivered: Vec::new(),
        sent: Sent::default(),
        message: None,
    }
}
