//! `knowing help`: lists the guides, and shows a guide or the options of a command.

use std::io::{IsTerminal, Write};
use std::process::{Command, Stdio};

use clap::Args;

use super::arguments::grammar;
use super::exit::{CliError, Status};
use super::guide::{GUIDES, Guide};
use super::output::{BOLD, columns, stdout, styled};
use super::session::Session;

/// List the guides; show a guide or the options of a command
///
/// On a terminal a guide is shown by PAGER, or by `less`. For example: knowing help explorer
#[derive(Debug, Args)]
pub struct HelpArguments {
    /// A topic that `knowing help` lists, or a command
    #[arg(value_name = "TOPIC")]
    pub words: Vec<String>,
}

/// Prints the list of guides, a guide, or the options of a command.
///
/// # Errors
/// When there is no such topic and no such command, or the output can't be written.
pub fn run(session: &Session, arguments: &HelpArguments) -> Result<Status, CliError> {
    let colored = session.colors.stdout;
    match arguments.words.as_slice() {
        [] => print(&contents(colored))?,
        [topic] if let Some(guide) = Guide::named(topic) => {
            let is_command = grammar().find_subcommand(topic).is_some();
            let options = if is_command { format!("\nOptions: knowing {topic} --help\n") } else { String::new() };
            show(&(guide.shown(colored, columns()) + &options))?;
        }
        words => print(&of_command(words, colored)?)?,
    }
    Ok(Status::Success)
}

/// Returns the list of guides.
fn contents(colored: bool) -> String {
    let mut text = format!("{}\n", styled(colored, BOLD, "Guides: knowing help TOPIC"));
    let width = GUIDES.iter().map(|guide| guide.topic.len()).max().unwrap_or_default();
    for guide in GUIDES {
        text.push_str(&format!("  {:width$}  {}\n", guide.topic, guide.title()));
    }
    text.push_str(
        "\nThe options of a command: knowing help COMMAND. All commands: knowing --help.\n\
         A demonstration of the explorer, on a small sample: knowing tui --demo\n",
    );
    text
}

/// Returns the options of a command, or of a subcommand.
fn of_command(words: &[String], colored: bool) -> Result<String, CliError> {
    let mut command = grammar();
    command.build();
    for word in words {
        command = command.find_subcommand(word).cloned().ok_or_else(|| {
            CliError::Usage(format!(
                "no guide and no command is called `{}`; `knowing help` lists guides",
                words.join(" ")
            ))
        })?;
    }
    let help = command.render_long_help();
    Ok(if colored { help.ansi().to_string() } else { help.to_string() })
}

fn print(text: &str) -> Result<(), CliError> {
    let mut out = stdout();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Shows a text by the user's pager, or prints it if standard output is not a terminal or there is no pager.
fn show(text: &str) -> Result<(), CliError> {
    if !std::io::stdout().is_terminal() {
        return print(text);
    }
    let pager = std::env::var("PAGER").ok().filter(|pager| !pager.trim().is_empty());
    let words = shlex::split(pager.as_deref().unwrap_or("less")).unwrap_or_default();
    let Some((program, options)) = words.split_first() else { return print(text) };
    let mut command = Command::new(program);
    // As git does: colors are kept, and a text that fits the screen is printed.
    if std::env::var_os("LESS").is_none() {
        command.env("LESS", "FRX");
    }
    let Ok(mut child) = command.args(options).stdin(Stdio::piped()).spawn() else { return print(text) };
    if let Some(mut input) = child.stdin.take() {
        match input.write_all(text.as_bytes()) {
            // The reader left the pager before the end.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {}
            result => result?,
        }
    }
    child.wait()?;
    Ok(())
}
