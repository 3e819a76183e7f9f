//! `knowing man`: prints the manual page.

use std::io::Write;

use clap::{Args, CommandFactory};
use clap_mangen::Man;

use super::arguments::Arguments;
use super::exit::{CliError, Status};
use super::output::stdout;

/// Print the manual page
///
/// For example: knowing man | man -l -
#[derive(Debug, Args)]
pub struct ManArguments {
    /// Command whose page to print [default: the program's page]
    pub command: Option<String>,
}

/// Prints the page.
///
/// # Errors
/// When the command is unknown, or standard output can't be written.
pub fn run(arguments: &ManArguments) -> Result<Status, CliError> {
    let mut program = Arguments::command();
    program.build();
    let page = match &arguments.command {
        None => Man::new(program),
        Some(name) => match program.find_subcommand(name) {
            Some(command) => Man::new(command.clone()),
            None => return Err(CliError::Usage(format!("unknown command `{name}`; `knowing --help` lists them"))),
        },
    };
    let mut out = stdout();
    page.render(&mut out)?;
    out.flush()?;
    Ok(Status::Success)
}
