//! `knowing tui`: the explorer.

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::Args;

use super::failure::Failure;
use super::session::Session;
use super::{ExplorerRequest, Outcome, ended};
use crate::model::Task;

/// Open the explorer
///
/// Type a task, and the symbols that matter for it are listed as you type. Makes or refreshes the index first.
#[derive(Debug, Args, Default)]
pub struct TuiArguments {
    /// Repository [default: the one around the current folder]
    pub dir: Option<PathBuf>,
    /// Task to begin with
    #[arg(long, value_name = "TASK")]
    pub task: Option<String>,
}

/// What the explorer opens with, or how it can't.
pub fn request(session: &Session, arguments: TuiArguments) -> Outcome {
    if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
        let refusal = "the explorer needs a terminal; `knowing context` prints a pack without one".to_owned();
        return Outcome::Done(ended(session.colors, Err(Failure::Usage(refusal))));
    }
    match session.engine(arguments.dir.as_deref()) {
        Ok(engine) => Outcome::Explorer(ExplorerRequest {
            engine,
            task: arguments.task.unwrap_or_default(),
            budget_tokens: Task::DEFAULT_BUDGET,
            colors: session.colors,
        }),
        Err(failure) => Outcome::Done(ended(session.colors, Err(failure))),
    }
}
