//! `knowing impact`: lists what a change affects.

use clap::Args;

use super::answer::{self, AnswerOptions, SubjectArguments};
use super::exit::{CliError, Status};
use super::session::Session;
use crate::model::Question;

/// List what a change of a symbol affects, by distance: its blast radius, from the graph
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
    #[command(flatten)]
    pub options: AnswerOptions,
}

/// Updates the index and prints what a change affects.
///
/// # Errors
/// When the name is ambiguous, the revision unknown, or the index or the output can't be used.
pub fn run(session: &Session, arguments: &ImpactArguments) -> Result<Status, CliError> {
    let depth = arguments.depth.unwrap_or(Question::UNLIMITED);
    let question = Question::Impact { of: arguments.subject.subject()?, depth };
    answer::run(session, &question, &arguments.options)
}
