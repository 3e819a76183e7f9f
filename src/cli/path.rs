//! `knowing path`: prints how one symbol reaches another.

use clap::Args;

use super::answer::{self, AnswerFormat, AnswerOptions, symbol_name};
use super::exit::{CliError, Status};
use super::session::Session;
use crate::model::Question;

/// Print how one symbol reaches another: the shortest path of calls, or else of any uses
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
pub fn run(session: &Session, arguments: &PathArguments) -> Result<Status, CliError> {
    let question = Question::Path { from: symbol_name(&arguments.from)?, to: symbol_name(&arguments.to)? };
    answer::run(session, &question, &AnswerOptions { limit: usize::MAX, format: arguments.format })
}
