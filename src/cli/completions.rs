//! `knowing completions`: prints a shell's completion script.

use std::io::Write;

use clap::Args;
use clap_complete::Shell;

use super::arguments::grammar;
use super::exit::{CliError, Status};
use super::output::stdout;

/// Print a completion script for a shell
///
/// For example, in bash: source <(knowing completions bash)
#[derive(Debug, Args)]
pub struct CompletionsArguments {
    /// The shell
    pub shell: Shell,
}

/// Prints the script.
///
/// # Errors
/// When standard output can't be written.
pub fn run(arguments: &CompletionsArguments) -> Result<Status, CliError> {
    // The generator panics when its output is closed, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut grammar(), "knowing", &mut script);
    let mut out = stdout();
    out.write_all(&script)?;
    out.flush()?;
    Ok(Status::Success)
}
