//! `knowing tui`: checks for a terminal and prepares the explorer's options.

use std::fs::File;
use std::io::IsTerminal;
use std::path::PathBuf;

use clap::Args;

use super::consent;
use super::exit::CliError;
use super::sample::Sample;
use super::session::Session;
use super::{Action, ExplorerOptions, finish, task};
use crate::model::Task;
use crate::text::display::{excerpt, without_escapes};
use crate::workspace::{MemberSource, Workspace};

/// Open the explorer
///
/// Ranks the repository's symbols as you type a task. Builds or updates the index first.
#[derive(Debug, Args, Default)]
pub struct TuiArguments {
    /// Repository [default: the one that contains the current folder]; several are ranked as one
    #[arg(value_name = "DIR")]
    pub dirs: Vec<PathBuf>,
    /// Initial task
    #[arg(long, value_name = "TASK", allow_hyphen_values = true)]
    pub task: Option<String>,
    /// Print plain lines in reading order instead of drawing a screen; implied by TERM=dumb
    #[arg(long)]
    pub plain: bool,
    /// Color theme: ansi, dark, light, high-contrast, catppuccin-mocha, catppuccin-latte, gruvbox, one of your own, or
    /// `auto`
    #[arg(long, value_name = "THEME")]
    pub theme: Option<String>,
    /// Disable mouse support, so that the terminal selects text
    #[arg(long)]
    pub no_mouse: bool,
    /// Start without the task of the last session
    #[arg(long)]
    pub fresh: bool,
    /// Play a demonstration on a small sample until a key is pressed; nothing of yours is read or changed
    #[arg(long, conflicts_with_all = ["dirs", "task", "plain"])]
    pub demo: bool,
}

/// Why the explorer can't be opened, and what to use then.
const NO_SCREEN: &str = "the explorer needs a terminal; without one use `knowing tui --plain`, or `knowing context \
                             TASK`, in which `-` reads the task from standard input";

/// Returns whether there is a terminal for input, which is not a pipe then, and for the screen. Standard output may be
/// redirected, as in `x=$(knowing)`: it then receives only the pack that the explorer prints on exit.
fn has_screen() -> bool {
    let screen = || std::io::stdout().is_terminal() || File::open("/dev/tty").is_ok();
    std::io::stdin().is_terminal() && screen()
}

/// Returns the text that is piped into the explorer, which is its task, and makes the terminal its input; `None` if there is no
/// text or no terminal. What a pipe has is not read where it could not be used.
fn piped_task(session: &Session) -> Option<String> {
    if std::io::stdin().is_terminal() {
        return None;
    }
    let terminal = File::open("/dev/tty").ok()?;
    let task = task::from_standard_input(session).ok().filter(|text| !text.trim().is_empty())?;
    rustix::stdio::dup2_stdin(&terminal).ok()?;
    Some(without_escapes(&task).trim().to_owned())
}

/// Opens the engine and returns the explorer's options, or exits with an error, which begins with `cause`.
pub fn open(session: &Session, mut arguments: TuiArguments, cause: &str) -> Action {
    let plain = arguments.plain || std::env::var("TERM").is_ok_and(|terminal| terminal == "dumb");
    if !plain && arguments.task.is_none() && !arguments.demo {
        arguments.task = piped_task(session);
    }
    if !arguments.plain && !has_screen() {
        return Action::Exit(finish(session.colors, Err(CliError::Usage(format!("{cause}{NO_SCREEN}")))));
    }
    match workspace(session, &arguments) {
        Ok((workspace, sample)) => Action::OpenExplorer(Box::new(ExplorerOptions {
            workspace,
            sample,
            task: arguments.task.unwrap_or_default(),
            budget_tokens: Task::DEFAULT_BUDGET,
            plain,
            theme: arguments.theme,
            mouse: !arguments.no_mouse,
            fresh: arguments.fresh,
            colors: session.colors,
        })),
        Err(error) => Action::Exit(finish(session.colors, Err(error))),
    }
}

/// Opens what the explorer shows, with the user's consent to index it: for the demonstration the sample.
fn workspace(session: &Session, arguments: &TuiArguments) -> Result<(Workspace, Option<Sample>), CliError> {
    if arguments.demo {
        let unwritten = |error| CliError::Unusable(anyhow::anyhow!("can't write the sample: {error}"));
        let sample = Sample::write().map_err(unwritten)?;
        let source =
            MemberSource { folder: sample.root(), database: Some(sample.database()), ..MemberSource::default() };
        return Ok((Workspace::open(&[source], &|engine| engine)?, Some(sample)));
    }
    let missing = arguments.dirs.iter().find(|dir| !dir.exists());
    if let Some(missing) = missing.map(|dir| dir.to_string_lossy()) {
        let missing = excerpt(&missing);
        return Err(CliError::Usage(format!("{missing} does not exist; for a task: knowing tui --task {missing}")));
    }
    let workspace = session.workspace(&arguments.dirs)?;
    workspace.members().iter().try_for_each(|member| consent::require(session, member.engine()))?;
    Ok((workspace, None))
}
