//! `knowing tui`: the explorer.

use std::fs::File;
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
    /// Plain lines in reading order instead of a screen; what TERM=dumb gets anyway
    #[arg(long)]
    pub plain: bool,
    /// Colors: a shipped theme, one of your own, or `auto`
    #[arg(long, value_name = "THEME")]
    pub theme: Option<String>,
    /// Leave the mouse to the terminal
    #[arg(long)]
    pub no_mouse: bool,
}

/// True when there is a terminal for keys and for a screen. Standard output may go elsewhere, as in `x=$(knowing)`: then
/// the pack that the explorer prints at its end is all that goes there.
pub fn has_screen() -> bool {
    let screen = || std::io::stdout().is_terminal() || File::open("/dev/tty").is_ok();
    std::io::stdin().is_terminal() && screen()
}

/// What the explorer opens with, or how it can't.
pub fn request(session: &Session, arguments: TuiArguments) -> Outcome {
    let plain = arguments.plain || std::env::var("TERM").is_ok_and(|terminal| terminal == "dumb");
    if !arguments.plain && !has_screen() {
        let refusal = "the explorer needs a terminal; `--plain` and `knowing context` do without one".to_owned();
        return Outcome::Done(ended(session.colors, Err(Failure::Usage(refusal))));
    }
    match session.engine(arguments.dir.as_deref()) {
        Ok(engine) => Outcome::Explorer(ExplorerRequest {
            engine,
            task: arguments.task.unwrap_or_default(),
            budget_tokens: Task::DEFAULT_BUDGET,
            plain,
            theme: arguments.theme,
            mouse: !arguments.no_mouse,
            colors: session.colors,
        }),
        Err(failure) => Outcome::Done(ended(session.colors, Err(failure))),
    }
}
