//! `knowing man`: prints the manual page.

use std::io::Write;

use clap::{Args, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

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

/// Keys of the explorer, where they apply, and what they do.
pub type KeyHelp = (Vec<String>, &'static str, &'static str);

/// Prints the page. That of the program and that of `tui` end with the explorer's keys.
///
/// # Errors
/// When the command is unknown, or standard output can't be written.
pub fn run(arguments: &ManArguments, keys: fn() -> Vec<KeyHelp>) -> Result<Status, CliError> {
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
    if arguments.command.as_deref().is_none_or(|name| name == "tui") {
        key_section(keys()).to_writer(&mut out)?;
    }
    out.flush()?;
    Ok(Status::Success)
}

fn key_section(rows: Vec<KeyHelp>) -> Roff {
    let mut section = Roff::new();
    section.control("SH", ["KEYS OF THE EXPLORER"]);
    for (keys, context, title) in rows {
        section.control("TP", []);
        section.text([bold(keys.join(" ")), roman(format!(" ({context})"))]);
        section.text([roman(title)]);
    }
    section
}
