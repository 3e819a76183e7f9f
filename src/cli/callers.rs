//! `knowing callers`: lists what calls a symbol.

use clap::Args;

use super::answer::{self, AnswerOptions, symbol_name};
use super::exit::{CliError, Status};
use super::session::Session;
use crate::model::Question;

/// List what calls a symbol, from the graph
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
    #[command(flatten)]
    pub options: AnswerOptions,
}

/// Updates the index and prints the callers.
///
/// # Errors
/// When the name is ambiguous, or the index or the output can't be used.
pub fn run(session: &Session, arguments: &CallersArguments) -> Result<Status, CliError> {
    let question = Question::Callers { of: symbol_name(&arguments.name)?, depth: arguments.depth };
    answer::run(session, &question, &arguments.options)
}
