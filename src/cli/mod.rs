//! The command line: one file per subcommand.
//!
//! Owns arguments, help texts, exit codes, and the text and JSON output of every command. Uses `engine`,
//! `workspace`, `exchange`, `agents`, `mcp`, `model`, `render` and `text`. It does not use `tui`: [`run`] returns [`Action::OpenExplorer`], and `main` opens the
//! explorer.

mod arguments;
pub mod budget;
mod cache;
mod completions;
mod concepts;
mod consent;
mod context;
mod counterfactual;
pub mod exit;
mod export;
mod feedback;
mod feedback_import;
mod fsck;
mod guide;
mod help;
mod hook;
mod index;
mod install;
mod links;
mod list;
mod lookup;
mod man;
mod mcp;
pub mod output;
pub mod progress;
mod published;
mod query;
mod questions;
mod sample;
pub mod session;
mod share;
mod shared_feedback;
mod shorthand;
mod stage;
mod staleness;
mod statistics;
mod status;
mod summary;
mod symbol;
mod task;
mod terms;
mod tui;
mod version;
mod watch;
mod why;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ColorChoice, FromArgMatches, ValueEnum};

use crate::engine::{register_languages, start_threads};
use crate::text::display;
use crate::workspace::Workspace;
use arguments::{Arguments, Command};
pub use arguments::{EXIT_CODES, GlobalArguments, grammar};
pub use exit::report_panics;
use exit::{CliError, Status};
pub use man::KeyHelp;
pub use output::Colors;
use output::{RED, note, styled};
use sample::Sample;
pub use session::Session;

/// Output format of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Text,
    /// For programs
    Json,
}

/// The next step of `main`.
pub enum Action {
    /// The command ran; the process exits with this code.
    Exit(ExitCode),
    OpenExplorer(Box<ExplorerOptions>),
}

/// Options of the explorer, which is the terminal UI.
pub struct ExplorerOptions {
    /// The repositories that it shows.
    pub workspace: Workspace,
    /// The initial task; may be empty.
    pub task: String,
    pub budget_tokens: usize,
    /// Whether to print lines in reading order instead of drawing a screen.
    pub plain: bool,
    /// A theme's name; the configured theme if `None`.
    pub theme: Option<String>,
    /// Whether the explorer captures the mouse.
    pub mouse: bool,
    /// Whether to start over instead of resuming the last session.
    pub fresh: bool,
    /// The sample that it shows, for the demonstration; removed with these options.
    pub sample: Option<Sample>,
    pub colors: Colors,
}

/// Parses the command line and runs the command. `keys` returns the rows of the manual page about the explorer's keys.
pub fn run(arguments: impl Iterator<Item = OsString>, keys: fn() -> Vec<KeyHelp>) -> Action {
    let arguments = shorthand::expand(arguments.collect());
    let command = grammar().color(color_choice(&arguments));
    let parsed = command.try_get_matches_from(&arguments).and_then(|matches| Arguments::from_arg_matches(&matches));
    let arguments = match parsed {
        Ok(arguments) => arguments,
        Err(error) => return Action::Exit(print_clap_error(without_hidden_commands(error), &arguments)),
    };
    let session = Session::new(&arguments.global);
    if let Err(error) = check_open_files().and_then(|()| Ok(start_threads()?)) {
        return Action::Exit(finish(session.colors, Err(error)));
    }
    register_languages();
    let result = match arguments.command {
        None => return tui::open(&session, tui::TuiArguments::default(), "no command given; "),
        Some(Command::Tui(arguments)) => return tui::open(&session, arguments, ""),
        Some(Command::Index(arguments)) => index::run(&session, &arguments),
        Some(Command::Context(arguments)) => context::run(&session, &arguments),
        Some(Command::Why(arguments)) => why::run(&session, &arguments),
        Some(Command::Feedback(arguments)) => feedback::run(&session, &arguments),
        Some(Command::Query(arguments)) => query::run(&session, &arguments),
        Some(Command::Symbol(arguments)) => symbol::run(&session, &arguments),
        Some(Command::Callers(arguments)) => questions::callers(&session, &arguments),
        Some(Command::Callees(arguments)) => questions::callees(&session, &arguments),
        Some(Command::Impact(arguments)) => questions::impact(&session, &arguments),
        Some(Command::Tests(arguments)) => questions::tests(&session, &arguments),
        Some(Command::Path(arguments)) => questions::path(&session, &arguments),
        Some(Command::Concepts(arguments)) => concepts::run(&session, &arguments),
        Some(Command::Status(arguments)) => status::run(&session, &arguments),
        Some(Command::Install(arguments)) => install::run(&session, &arguments),
        Some(Command::Uninstall(arguments)) => install::run_uninstall(&session, &arguments),
        Some(Command::Hook(arguments)) => hook::run(&session, &arguments),
        Some(Command::Mcp(arguments)) => mcp::run(&session, &arguments),
        Some(Command::Completions(arguments)) => completions::run(&arguments),
        Some(Command::Man(arguments)) => man::run(&arguments, keys),
        Some(Command::Help(arguments)) => help::run(&session, &arguments),
    };
    Action::Exit(finish(session.colors, result))
}

/// Number of files that a process may have open at least: several databases, the files beside them, and one a thread.
#[cfg(unix)]
const MIN_OPEN_FILES: u64 = 64;

/// Checks the limit of open files. Below it, some file that can't be opened looks like one that is not there.
fn check_open_files() -> Result<(), CliError> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit};
        // Without a limit there is no number.
        if let Some(limit) = getrlimit(Resource::Nofile).current.filter(|limit| *limit < MIN_OPEN_FILES) {
            let text = format!("only {limit} files may be open at once (`ulimit -n`), and {MIN_OPEN_FILES} are needed");
            return Err(CliError::Unusable(anyhow::Error::msg(text)));
        }
    }
    Ok(())
}

/// Prints the explorer's error, if any, and returns the process's exit code.
pub fn exit_code(colors: Colors, result: anyhow::Result<()>) -> ExitCode {
    finish(colors, result.map(|()| Status::Success).map_err(CliError::Unusable))
}

/// Prints a command's error, if any, and returns the process's exit code.
pub fn finish(colors: Colors, result: Result<Status, CliError>) -> ExitCode {
    match result {
        Ok(status) => ExitCode::from(status.code()),
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            note(&styled(colors.stderr, RED, "error:"), &error.to_string());
            ExitCode::from(error.code())
        }
    }
}

/// Returns the error without suggestions of names that `--help` does not list.
fn without_hidden_commands(mut error: clap::Error) -> clap::Error {
    let (kind, grammar) = (ContextKind::SuggestedSubcommand, grammar());
    let is_hidden = |name: &String| {
        grammar.find_subcommand(name).is_some_and(|command| command.is_hide_set() || command.get_name() != name)
    };
    if let Some(ContextValue::Strings(mut names)) = error.remove(kind) {
        names.retain(|name| !is_hidden(name));
        if !names.is_empty() {
            error.insert(kind, ContextValue::Strings(names));
        }
    }
    error
}

/// Prints clap's message and returns the exit code: 0 for help and version, 2 for a usage error.
fn print_clap_error(error: clap::Error, words: &[OsString]) -> ExitCode {
    // The message quotes the arguments, which may contain control characters.
    let text = error.to_string();
    if error.use_stderr() && text.contains(|letter| letter != '\n' && display::is_unsafe(letter)) {
        note("error:", text.trim_start_matches("error: ").trim_end());
        return ExitCode::from(2);
    }
    // A closed pipe is not an error.
    let is_unwritten = error.print().is_err_and(|error| error.kind() != std::io::ErrorKind::BrokenPipe);
    if let (ErrorKind::InvalidSubcommand, Some(tip)) = (error.kind(), shorthand::tip(words)) {
        note("tip:", &tip);
    }
    ExitCode::from(if is_unwritten {
        3
    } else if error.use_stderr() {
        2
    } else {
        0
    })
}

/// Returns the value of `--color`. It is needed before the command line is parsed, because parsing may print help or an
/// error.
fn color_choice(words: &[OsString]) -> ColorChoice {
    let mut words = words.iter().map(|word| word.to_string_lossy());
    while let Some(word) = words.next() {
        let value = match word.strip_prefix("--color") {
            Some("") => words.next().map(|value| value.into_owned()),
            Some(rest) => rest.strip_prefix('=').map(str::to_owned),
            None => None,
        };
        if let Some(choice) = value.and_then(|value| value.parse().ok()) {
            return choice;
        }
    }
    ColorChoice::Auto
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clap_definitions_are_consistent() {
        grammar().debug_assert();
    }

    #[test]
    fn color_is_found_at_any_position() {
        let choice = |text: &str| color_choice(&text.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(choice("knowing query --color never x"), ColorChoice::Never);
        assert_eq!(choice("knowing --color=always"), ColorChoice::Always);
        assert_eq!(choice("knowing --color"), ColorChoice::Auto);
    }
}
