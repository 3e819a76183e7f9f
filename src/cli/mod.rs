//! The command line: one file for each subcommand.
//!
//! [`run`] does everything but open the explorer, which is a room of its own: it says so and `main` opens it.

mod arguments;
mod completions;
mod context;
mod debug;
mod eval;
mod export;
mod exit;
mod feedback;
mod fsck;
mod index;
mod man;
mod otherwise;
mod output;
mod preset;
mod progress;
mod query;
mod seeds;
mod session;
mod stats;
mod summary;
mod symbol;
mod task;
mod tui;
mod vocab;
mod why;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{ColorChoice, CommandFactory, FromArgMatches, ValueEnum};

use crate::engine::Engine;
use crate::text::display;
use arguments::{Arguments, Command};
use exit::{CliError, Status};
pub use output::Colors;
use output::{RED, note, styled};
use session::Session;

/// How a table is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Text,
    /// For programs
    Json,
}

/// What is left to do after the command line was read.
pub enum Action {
    /// Nothing: the process ends with this code.
    Done(ExitCode),
    /// The explorer is to be opened.
    Explorer(ExplorerOptions),
}

/// What the explorer opens with.
pub struct ExplorerOptions {
    pub engine: Engine,
    /// A task to begin with; may be empty.
    pub task: String,
    pub budget_tokens: usize,
    /// Lines to be read in their order instead of a screen.
    pub plain: bool,
    /// A theme's name; none leaves it to the settings.
    pub theme: Option<String>,
    /// False leaves the mouse to the terminal.
    pub mouse: bool,
    pub colors: Colors,
}

/// Reads the command line and does what it says.
pub fn run(arguments: impl Iterator<Item = OsString>) -> Action {
    let words: Vec<OsString> = arguments.collect();
    let command = Arguments::command().color(color_of(&words));
    let parsed = command.try_get_matches_from(words).and_then(|matches| Arguments::from_arg_matches(&matches));
    let arguments = match parsed {
        Ok(arguments) => arguments,
        Err(error) => return Action::Exit(usage(&error)),
    };
    let session = Session::new(&arguments);
    let result = match arguments.command {
        None if !tui::has_screen() => {
            Err(CliError::Usage("say what to do: `knowing --help` lists the commands".to_owned()))
        }
        None => return tui::request(&session, tui::TuiArguments::default()),
        Some(Command::Tui(arguments)) => return tui::request(&session, arguments),
        Some(Command::Index(arguments)) => index::run(&session, &arguments),
        Some(Command::Context(arguments)) => context::run(&session, &arguments),
        Some(Command::Why(arguments)) => why::run(&session, &arguments),
        Some(Command::Feedback(arguments)) => feedback::run(&session, &arguments),
        Some(Command::Vocab(arguments)) => vocab::run(&session, &arguments),
        Some(Command::Query(arguments)) => query::run(&session, &arguments),
        Some(Command::Debug(arguments)) => debug::run(&session, &arguments),
        Some(Command::Export(arguments)) => export::run(&session, &arguments),
        Some(Command::Stats(arguments)) => stats::run(&session, &arguments),
        Some(Command::Fsck(arguments)) => fsck::run(&session, &arguments),
        Some(Command::Seeds(arguments)) => seeds::run(&session, &arguments),
        Some(Command::Eval(arguments)) => eval::run(&session, &arguments),
        Some(Command::Completions(arguments)) => completions::run(&arguments),
        Some(Command::Man(arguments)) => man::run(&arguments),
    };
    Action::Exit(ended(session.colors, result))
}

/// How the explorer ended, for the process's end.
pub fn exit_code(colors: Colors, result: anyhow::Result<()>) -> ExitCode {
    ended(colors, result.map(|()| Status::Success).map_err(CliError::Unusable))
}

fn ended(colors: Colors, result: Result<Status, CliError>) -> ExitCode {
    match result {
        Ok(status) => ExitCode::from(status.code()),
        Err(error) if failure.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            note(&styled(colors.stderr, RED, "error:"), &failure.to_string());
            ExitCode::from(failure.code())
        }
    }
}

/// Help and version are no errors; everything else that clap reports is wrong usage.
fn usage(error: &clap::Error) -> ExitCode {
    // What was typed comes back in the message; it may have been pasted from anywhere.
    let text = error.to_string();
    if error.use_stderr() && text.contains(|letter| letter != '\n' && display::is_unsafe(letter)) {
        note("error:", text.trim_start_matches("error: ").trim_end());
        return ExitCode::from(2);
    }
    // A reader that closed its end wants no more help.
    let printed = error.print();
    let broken = printed.is_err_and(|error| error.kind() != std::io::ErrorKind::BrokenPipe);
    ExitCode::from(if broken {
        3
    } else if error.use_stderr() {
        2
    } else {
        0
    })
}

/// The color choice, found before the command line is parsed, since parsing may already print.
fn color_of(words: &[OsString]) -> ColorChoice {
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
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn color_is_found_anywhere() {
        let choice = |text: &str| color_of(&text.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(choice("knowing query --color never x"), ColorChoice::Never);
        assert_eq!(choice("knowing --color=always"), ColorChoice::Always);
        assert_eq!(choice("knowing --color"), ColorChoice::Auto);
    }
}
