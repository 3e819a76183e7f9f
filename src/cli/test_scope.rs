//! `knowing tests`: lists the tests that reach a symbol or a change.

use clap::{Args, ValueEnum};

use super::answer::{self, AnswerFormat, AnswerOptions, SubjectArguments};
use super::exit::{CliError, Status};
use super::session::Session;
use crate::engine::MAX_ANSWER_ROWS;
use crate::model::Question;

/// List the tests that reach a symbol or a change, nearest first: the test scope, from the graph
///
/// Tests without names, such as those of Vitest and Jest, are listed by file. `--format commands` prints what runs the
/// listed tests: go test, pytest or unittest, cargo test, vitest, jest and others, by the manifests of the repository.
///
/// Run the commands in the repository's root. For example: knowing tests --diff HEAD --format commands | sh -e
#[derive(Debug, Args)]
pub struct TestsArguments {
    #[command(flatten)]
    pub subject: SubjectArguments,
    /// Maximum number of tests to list; the counts have no limit
    #[arg(long, value_name = "N", default_value_t = MAX_ANSWER_ROWS,
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    pub limit: usize,
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
pub fn run(session: &Session, arguments: &TestsArguments) -> Result<Status, CliError> {
    let question = Question::Tests { of: arguments.subject.subject()? };
    let format = match arguments.format {
        TestsFormat::Text => AnswerFormat::Text,
        TestsFormat::Json => AnswerFormat::Json,
        TestsFormat::Lines => AnswerFormat::Lines,
        TestsFormat::Commands => return commands(session, &question, arguments.limit),
    };
    answer::run(session, &question, &AnswerOptions { limit: arguments.limit, format })
}

fn commands(session: &Session, question: &Question, limit: usize) -> Result<Status, CliError> {
    let Some((_, answer)) = answer::ask(session, question, limit)? else { return Ok(Status::NothingFound) };
    if answer.total > answer.rows.len() {
        session.note(&format!("{} of {} tests; --limit N runs more", answer.rows.len(), answer.total));
    }
    answer.notes.iter().for_each(|note| session.note(note));
    let left_out = answer.commands.iter().filter(|command| command.contains(char::is_control)).count();
    if left_out > 0 {
        session.note(&format!("commands left out, because a path has control characters: {left_out}"));
    }
    // A path of the repository could have a line break; each command is one line.
    let one_line = answer.commands.iter().filter(|command| !command.contains(char::is_control));
    let text: String = one_line.map(|command| format!("{command}\n")).collect();
    answer::print(&text)?;
    Ok(Status::for_count(answer.total))
}
