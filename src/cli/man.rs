//! `knowing man`: prints the manual page of the program, of a command or of a guide.

use std::io::Write;

use clap::Args;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use super::arguments::grammar;
use super::exit::{CliError, Status};
use super::guide::{GUIDES, Guide};
use super::output::stdout;

/// Print the manual page of the program, of a command or of a guide
///
/// For example: knowing man | man -l -
#[derive(Debug, Args)]
pub struct ManArguments {
    /// Topic of a guide, or a command [default: the program's page]
    #[arg(value_name = "TOPIC")]
    pub topic: Option<String>,
}

/// Keys of the explorer, where they apply, and what they do.
pub type KeyHelp = (Vec<String>, &'static str, &'static str);

/// Prints the page. Those of the program, of the explorer's guide and of `tui` end with the explorer's keys.
///
/// # Errors
/// When the command is unknown, or standard output can't be written.
pub fn run(arguments: &ManArguments, keys: fn() -> Vec<KeyHelp>) -> Result<Status, CliError> {
    let mut out = stdout();
    let topic = arguments.topic.as_deref();
    match topic.map(|topic| (topic, Guide::named(topic))) {
        None => {
            Man::new(built()).render(&mut out)?;
            guide_section().to_writer(&mut out)?;
        }
        Some((_, Some(guide))) => {
            let mut title = Roff::new();
            title.control("TH", [&format!("knowing-{}", guide.topic), "7"]);
            title.to_writer(&mut out)?;
            guide.sections().to_writer(&mut out)?;
        }
        Some((name, None)) => match built().find_subcommand(name) {
            Some(command) => Man::new(command.clone()).render(&mut out)?,
            None => {
                let text = format!("no guide and no command is called `{name}`; `knowing help` lists guides");
                return Err(CliError::Usage(text));
            }
        },
    }
    if topic.is_none_or(|topic| ["tui", "explorer"].contains(&topic)) {
        key_section(keys()).to_writer(&mut out)?;
    }
    out.flush()?;
    Ok(Status::Success)
}

/// Returns the grammar with all that clap derives from it.
fn built() -> clap::Command {
    let mut program = grammar();
    program.build();
    program
}

fn guide_section() -> Roff {
    let mut section = Roff::new();
    section.control("SH", ["GUIDES"]);
    for guide in GUIDES {
        section.control("TP", []);
        section.text([bold(format!("knowing help {}", guide.topic))]);
        section.text([roman(guide.title())]);
    }
    section
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
