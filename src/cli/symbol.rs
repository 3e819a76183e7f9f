//! `knowing symbol`: prints the facts about one symbol.

use clap::Args;

use super::Format;
use super::budget::budget;
use super::exit::{CliError, Status};
use super::links::Links;
use super::lookup::known;
use super::questions::{print, symbol_name};
use super::session::Session;
use super::task;
use crate::engine::{EngineError, MAX_ANSWER_ROWS};
use crate::model::{SymbolDetails, Task};
use crate::render::{question, symbol};
use crate::workspace::Workspace;

/// Print one symbol: source, what it uses, what uses it, its tests
///
/// With --task also why it ranks for the task. No other symbol is printed instead of an unknown one, but the lines that
/// have it as a text: those of a route, an option or a setting.
///
/// For example: knowing symbol Session.is_expired --budget 1000
#[derive(Debug, Args)]
pub struct SymbolArguments {
    /// A name, plain or qualified, or a location: wsgi_app, Flask.wsgi_app, src/flask/app.py:1500
    #[arg(value_name = "SYMBOL")]
    pub name: String,
    /// A task: explain the symbol's rank for it; `-` reads it from standard input
    #[arg(long, value_name = "TASK", allow_hyphen_values = true)]
    pub task: Option<String>,
    /// Size limit of the text in tokens, such as 2000 or 2k
    #[arg(long, value_name = "TOKENS", default_value_t = DEFAULT_BUDGET, value_parser = budget)]
    pub budget: u32,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: Format,
}

/// Limit of the lines that are listed for a text that is not a name.
const MAX_LINES: usize = 12;

/// Default size limit in tokens.
const DEFAULT_BUDGET: u32 = 2_000;

/// Updates the index and prints the facts about the symbol.
///
/// # Errors
/// When the name is ambiguous, or the index or the output can't be used.
pub fn run(session: &Session, arguments: &SymbolArguments) -> Result<Status, CliError> {
    let name = symbol_name(&arguments.name)?;
    let task = arguments.task.as_ref().map(|task| task::words(session, task)).transpose()?.map(Task::from_text);
    let mut workspace = session.loaded(task.as_ref())?;
    if let Some(task) = &task {
        task::check_vocabulary(session, &workspace, task)?;
    }
    let name = workspace.from_root(&name);
    let symbol = workspace.questions()?.named(&name);
    if let (Format::Text, Err(EngineError::Name(error))) = (arguments.format, &symbol)
        && error.may_be_text()
    {
        let (lines, count) = workspace.questions()?.lines_with(&error.name, MAX_LINES)?;
        if !lines.is_empty() {
            session.note(&error.to_string());
            print(&question::occurrences(&lines, count, &workspace.repositories()))?;
            return Ok(Status::Success);
        }
    }
    let Some(symbol) = known(session, &workspace, symbol)? else { return Ok(Status::NothingFound) };
    let details = workspace.details(&symbol, MAX_ANSWER_ROWS, task.as_ref())?;
    let budget = arguments.budget as usize;
    print(&match arguments.format {
        Format::Text => linked(session, &workspace, &details, symbol::text(&details, budget)),
        Format::Json => symbol::json(&details, budget),
    })?;
    Ok(Status::Success)
}

/// Returns the text about a symbol with links to the locations in it.
fn linked(session: &Session, workspace: &Workspace, details: &SymbolDetails, text: String) -> String {
    let lists = [&details.uses, &details.users, &details.tests].into_iter().flat_map(|answer| &answer.rows);
    let files = lists.map(|row| &row.symbol).chain([&details.symbol]).map(|symbol| symbol.file.as_str());
    Links::new(session, workspace).apply(text, files)
}
