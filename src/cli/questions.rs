//! `knowing callers`, `callees`, `impact`, `tests` and `path`: structural questions, answered from the graph.

use std::io::Write;

use clap::builder::RangedU64ValueParser;
use clap::{Args, ValueEnum};

use super::exit::{CliError, Status};
use super::links::Links;
use super::lookup::known;
use super::output::{columns, folded_lines, stdout};
use super::session::Session;
use crate::engine::MAX_ANSWER_ROWS;
use crate::model::{Answer, Question, Subject, Symbol};
use crate::render::question;
use crate::text::display::is_unsafe;
use crate::workspace::Workspace;

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

/// List what calls a symbol
///
/// A call of a type runs its constructor, a request to a route its handler. A call of a method that the symbol overrides
/// may run it: such callers are marked. For example: knowing callers Session.is_expired
#[derive(Debug, Args)]
pub struct CallersArguments {
    /// A name, plain or qualified, or a location: wsgi_app, Flask.wsgi_app, src/flask/app.py:1500
    #[arg(value_name = "SYMBOL")]
    pub name: String,
    /// Callers of callers, through up to N calls
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: u32,
    /// List the lines that name the symbol without being a known use of it, instead of the answer
    ///
    /// They are those that were not resolved, those that mean something else, other code, comments and texts, and files
    /// that are not indexed.
    #[arg(long, conflicts_with_all = ["format", "limit"])]
    pub unresolved: bool,
    #[command(flatten)]
    pub options: AnswerOptions,
}

/// Updates the index and prints the callers.
///
/// # Errors
/// When the name is ambiguous, or the index or the output can't be used.
pub fn callers(session: &Session, arguments: &CallersArguments) -> Result<Status, CliError> {
    let question = Question::Callers { of: symbol_name(&arguments.name)?, depth: arguments.depth };
    if arguments.unresolved {
        return unresolved(session, &question);
    }
    answer(session, &question, &arguments.options)
}

/// List what a symbol calls
///
/// A call of a method may run each method that overrides it: such callees are marked. Symbols outside the repository
/// come last. For example: knowing callees Session.is_expired
#[derive(Debug, Args)]
pub struct CalleesArguments {
    /// A name, plain or qualified, or a location: wsgi_app, Flask.wsgi_app, src/flask/app.py:1500
    #[arg(value_name = "SYMBOL")]
    pub name: String,
    /// Callees of callees, through up to N calls
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: u32,
    #[command(flatten)]
    pub options: AnswerOptions,
}

/// Updates the index and prints the callees.
///
/// # Errors
/// When the name is ambiguous, or the index or the output can't be used.
pub fn callees(session: &Session, arguments: &CalleesArguments) -> Result<Status, CliError> {
    let question = Question::Callees { of: symbol_name(&arguments.name)?, depth: arguments.depth };
    answer(session, &question, &arguments.options)
}

/// List what a change affects, by distance
///
/// Follows calls, references, types in signatures, inheritance and overrides against their direction. A type stands for
/// its members, too. For example: knowing impact Session --depth 2, knowing impact --diff main
#[derive(Debug, Args)]
pub struct ImpactArguments {
    #[command(flatten)]
    pub subject: SubjectArguments,
    /// Maximum distance [default: no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,
    /// List the lines that name the symbol without being a known use of it, instead of the answer
    ///
    /// They are those that were not resolved, those that mean something else, other code, comments and texts, and files
    /// that are not indexed.
    #[arg(long, conflicts_with_all = ["format", "limit"])]
    pub unresolved: bool,
    #[command(flatten)]
    pub options: AnswerOptions,
}

/// Updates the index and prints what a change affects.
///
/// # Errors
/// When the name is ambiguous, the revision unknown, or the index or the output can't be used.
pub fn impact(session: &Session, arguments: &ImpactArguments) -> Result<Status, CliError> {
    let depth = arguments.depth.unwrap_or(Question::UNLIMITED);
    let question = Question::Impact { of: arguments.subject.subject()?, depth };
    if arguments.unresolved {
        return unresolved(session, &question);
    }
    answer(session, &question, &arguments.options)
}

/// List the tests that reach a symbol or a change, nearest first
///
/// Tests without names, such as those of Vitest and Jest, are listed by file. `--format commands` prints what runs the
/// listed tests: go test, pytest or unittest, cargo test, vitest, jest and others, by the manifests of the repository.
///
/// The commands run in the current folder. For example: knowing tests --diff HEAD --format commands | sh -e
#[derive(Debug, Args)]
pub struct TestsArguments {
    #[command(flatten)]
    pub subject: SubjectArguments,
    /// Maximum number of tests to list [default: 100, no limit for commands]; the counts have no limit
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub limit: Option<usize>,
    /// List the lines that name the symbol without being a known use of it, instead of the answer
    ///
    /// They are those that were not resolved, those that mean something else, other code, comments and texts, and files
    /// that are not indexed.
    #[arg(long, conflicts_with_all = ["format", "limit"])]
    pub unresolved: bool,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: TestsFormat,
}

/// Output format of `tests`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum TestsFormat {
    /// For people
    #[default]
    Text,
    /// For programs
    Json,
    /// For editors and pickers: path:line:column: kind name
    Lines,
    /// For the shell: one command a line
    Commands,
}

/// Updates the index and prints the tests.
///
/// # Errors
/// When the name is ambiguous, the revision unknown, or the index or the output can't be used.
pub fn tests(session: &Session, arguments: &TestsArguments) -> Result<Status, CliError> {
    let question = Question::Tests { of: arguments.subject.subject()? };
    if arguments.unresolved {
        return unresolved(session, &question);
    }
    let format = match arguments.format {
        TestsFormat::Text => AnswerFormat::Text,
        TestsFormat::Json => AnswerFormat::Json,
        TestsFormat::Lines => AnswerFormat::Lines,
        TestsFormat::Commands => return commands(session, &question, arguments.limit.unwrap_or(usize::MAX)),
    };
    let limit = arguments.limit.unwrap_or(MAX_ANSWER_ROWS);
    answer(session, &question, &AnswerOptions { limit, format })
}

fn commands(session: &Session, question: &Question, limit: usize) -> Result<Status, CliError> {
    let Some((_, answer)) = ask(session, question, limit)? else { return Ok(Status::NothingFound) };
    if answer.total > answer.rows.len() {
        session.note(&format!("{} of {} tests; --limit N runs more", answer.rows.len(), answer.total));
    }
    answer.notes.iter().for_each(|note| session.note(note));
    match question {
        Question::Tests { of: Subject::Diff(base) } if answer.subjects.is_empty() && answer.total == 0 => {
            session.note(&format!("no code that is indexed changed since {base}"));
        }
        _ if answer.total == 0 => session.note("no test is known to reach it"),
        _ => {}
    }
    let left_out = answer.rows.iter().filter(|row| row.symbol.file.contains(is_unsafe)).count();
    if left_out > 0 {
        session.note(&format!("tests left out, because their path has control characters: {left_out}"));
    }
    let text: String = answer.commands.iter().map(|command| format!("{command}\n")).collect();
    print(&text)?;
    Ok(Status::for_count(answer.total))
}

/// Print how one symbol reaches another
///
/// It is the shortest path of calls, or else of any uses.
///
/// A type includes its members. Exits with 1 if there is no path.
///
/// For example: knowing path main Session.is_expired
#[derive(Debug, Args)]
pub struct PathArguments {
    /// The symbol at which the path begins
    #[arg(value_name = "FROM")]
    pub from: String,
    /// The symbol at which the path ends
    #[arg(value_name = "TO")]
    pub to: String,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: AnswerFormat,
}

/// Updates the index and prints the path.
///
/// # Errors
/// When a name is ambiguous, or the index or the output can't be used.
pub fn path(session: &Session, arguments: &PathArguments) -> Result<Status, CliError> {
    let question = Question::Path { from: symbol_name(&arguments.from)?, to: symbol_name(&arguments.to)? };
    answer(session, &question, &AnswerOptions { limit: usize::MAX, format: arguments.format })
}

/// Updates the indexes and answers a question; `None`, with a note, if a name is unknown.
///
/// # Errors
/// When a name is ambiguous, a revision is unknown, or no index can be used.
fn ask(session: &Session, question: &Question, limit: usize) -> Result<Option<(Workspace, Answer)>, CliError> {
    let mut workspace = session.loaded(None)?;
    let question = question.with_names(&|name| workspace.from_root(name));
    let answer = workspace.questions()?.ask(&question, limit);
    Ok(known(session, &workspace, answer)?.map(|answer| (workspace, answer)))
}

/// Answers a question and prints the answer.
fn answer(session: &Session, question: &Question, options: &AnswerOptions) -> Result<Status, CliError> {
    let Some((workspace, answer)) = ask(session, question, options.limit)? else { return Ok(Status::NothingFound) };
    let text = match options.format {
        AnswerFormat::Text => {
            let files = answer.subjects.iter().chain(answer.rows.iter().map(|row| &row.symbol));
            // For people, paths are from the current folder, those in the question too.
            let shown = Answer { question: question.clone(), ..answer.clone() };
            let text = folded_lines(&question::text(&shown, columns()), columns());
            Links::new(session, &workspace).apply(text, files.map(|symbol| symbol.file.as_str()))
        }
        AnswerFormat::Json => question::json(&answer),
        AnswerFormat::Lines => {
            let symbols = answer.rows.iter().map(|row| &row.symbol).filter(|symbol| !symbol.file.is_empty());
            let symbols: Vec<&Symbol> = symbols.collect();
            question::lines(&answer, &workspace.columns(&symbols)?)
        }
    };
    print(&text)?;
    Ok(Status::for_count(answer.total))
}

/// Prints the lines that name the subject of a question about users without being a known use of it.
fn unresolved(session: &Session, question: &Question) -> Result<Status, CliError> {
    let mut workspace = session.loaded(None)?;
    let question = question.with_names(&|name| workspace.from_root(name));
    let answer = workspace.questions()?.ask_for_lines(&question);
    let Some(answer) = known(session, &workspace, answer)? else { return Ok(Status::NothingFound) };
    print(&question::mention_lines(&answer))?;
    if answer.mentions.is_empty() {
        session.note("no line names it beside its definition and its known uses");
    }
    Ok(Status::for_count(answer.mentions.len()))
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
