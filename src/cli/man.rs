//! `knowing man`: the manual page.

use std::io::Write;

use clap::{Args, CommandFactory};
use clap_mangen::Man;

use super::arguments::Arguments;
use super::failure::{Ending, Failure};
use super::output::stdout;

/// Print the manual page
///
/// For example: knowing man | man -l -
#[derive(Debug, Args)]
pub struct ManArguments {
    /// Print the page of this command instead of the program's
    pub command: Option<String>,
}

pub fn run(arguments: &ManArguments) -> Result<Ending, Failure> {
    let mut program = Arguments::command();
    program.build();
    let page = match &arguments.command {
        None => Man::new(program),
        Some(name) => match program.find_subcommand(name) {
            Some(command) => Man::new(command.clone()),
            None => return Err(Failure::Usage(format!("there is no command `{name}`; `knowing --help` lists them"))),
        },
    };
    let mut out = stdout();
    page.render(&mut out)?;
    out.flush()?;
    Ok(Ending::Fine)
}
