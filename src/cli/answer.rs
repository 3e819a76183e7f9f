//! Options and output that the commands for structural questions share.

use std::io::Write;

use clap::builder::RangedU64ValueParser;
use clap::{Args, ValueEnum};

use super::exit::{CliError, Status};
use super::links::Links;
use super::lookup::known;
use super::output::stdout;
use super::session::Session;
use super::workspace;
use crate::engine::{Engine, MAX_ANSWER_ROWS};
use crate::model::{Answer, Question, Subject, Symbol};
use crate::render::question;

/// Output format of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum AnswerFormat {
    /// For people
    #[default]
    Text,
    /// For programs
    Json,
    /// For editors and pickers: path:line:column: kind name
    Lines,
}

/// The options of every question.
#[derive(Debug, Args)]
pub struct AnswerOptions {
    /// Maximum number of symbols to list; the counts have no limit
    #[arg(long, value_name = "N", default_value_t = MAX_ANSWER_ROWS,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub limit: usize,
    /// List the lines that name the symbol and were not resolved, instead of the answer
    #[arg(long, conflicts_with = "format")]
    pub unresolved: bool,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: AnswerFormat,
}

/// The subject of a question: a symbol, or a change.
#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("subject").required(true)))]
pub struct SubjectArguments {
    /// A name, plain or qualified, or a location: wsgi_app, Flask.wsgi_app, src/flask/app.py:1500
    #[arg(value_name = "SYMBOL", group = "subject")]
    pub name: Option<String>,
    /// A branch, tag or commit: ask about what changed since then, uncommitted changes included
    #[arg(long, value_name = "BASE", group = "subject")]
    pub diff: Option<String>,
}

impl SubjectArguments {
    /// Returns the subject.
    ///
    /// # Errors
    /// When the name or the revision is empty.
    pub fn subject(&self) -> Result<Subject, CliError> {
        match &self.diff {
            Some(base) if base.trim().is_empty() => {
                Err(CliError::Usage("--diff needs a branch, tag or commit".to_owned()))
            }
            Some(base) => Ok(Subject::Diff(base.trim().to_owned())),
            None => Ok(Subject::Symbol(symbol_name(self.name.as_deref().unwrap_or_default())?)),
        }
    }
}

/// Returns the name of a symbol without surrounding whitespace.
///
/// # Errors
/// When it is empty.
pub fn symbol_name(name: &str) -> Result<String, CliError> {
    match name.trim() {
        "" => Err(CliError::Usage("the symbol is empty; `knowing query` finds names".to_owned())),
        name => Ok(name.to_owned()),
    }
}

/// Updates the index and answers a question; `None`, with a note, if a name is unknown.
///
/// # Errors
/// When a name is ambiguous, a revision is unknown, or the index can't be used.
pub fn ask(session: &Session, question: &Question, limit: usize) -> Result<Option<(Engine, Answer)>, CliError> {
    let engine = session.indexed()?;
    let index = engine.graph_index()?;
    let answer = index.questions()?.ask(question, limit);
    Ok(known(session, index.reader(), answer)?.map(|answer| (engine, answer)))
}

/// Answers a question and prints the answer.
///
/// # Errors
/// Those of [`ask`], or when the output can't be written.
pub fn run(session: &Session, question: &Question, options: &AnswerOptions) -> Result<Status, CliError> {
    if session.has_workspace() {
        return workspace::answer(session, question, options);
    }
    let Some((engine, answer)) = ask(session, question, options.limit)? else { return Ok(Status::NothingFound) };
    if options.unresolved {
        print(&question::unresolved_lines(&answer))?;
        return Ok(Status::for_count(answer.unresolved.len()));
    }
    let text = match options.format {
        AnswerFormat::Text => {
            let files = answer.subjects.iter().chain(answer.rows.iter().map(|row| &row.symbol));
            let text = question::text(&answer);
            Links::new(session, engine.root()).apply(text, files.map(|symbol| symbol.file.as_str()))
        }
        AnswerFormat::Json => question::json(&answer),
        AnswerFormat::Lines => lines(&engine, &answer)?,
    };
    print(&text)?;
    Ok(Status::for_count(answer.total))
}

/// Returns the line format of an answer.
fn lines(engine: &Engine, answer: &Answer) -> Result<String, CliError> {
    let symbols = answer.rows.iter().map(|row| &row.symbol).filter(|symbol| !symbol.file.is_empty());
    let symbols: Vec<&Symbol> = symbols.collect();
    Ok(question::lines(answer, &engine.columns(&symbols)?))
}

/// Prints a text to standard output.
///
/// # Errors
/// When it can't be written.
pub fn print(text: &str) -> Result<(), CliError> {
    let mut out = stdout();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}
