//! `knowing callees`: lists what a symbol calls.

use clap::Args;

use super::answer::{self, AnswerOptions, symbol_name};
use super::exit::{CliError, Status};
use super::session::Session;
use crate::model::Question;

/// List what a symbol calls, from the graph
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
pub fn run(session: &Session, arguments: &CalleesArguments) -> Result<Status, CliError> {
    let question = Question::Callees { of: symbol_name(&arguments.name)?, depth: arguments.depth };
    answer::run(session, &question, &arguments.options)
}
