//! `knowing hook`: answers a hook of a coding agent. For programs only, so it is not in `--help`.

use std::io::{Read, Write};
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::exit::{CliError, Status};
use super::output::stdout;
use super::session::Session;
use crate::agents::{self, HookKind};

/// Answer a hook of a coding agent: JSON on standard input, JSON on standard output
#[derive(Debug, Args)]
pub struct HookArguments {
    /// The event
    #[arg(value_enum, value_name = "EVENT")]
    pub event: HookEvent,
    /// Time in milliseconds after which a prompt is answered without context
    #[arg(long, value_name = "MS", default_value_t = 140)]
    pub limit: u64,
}

/// The event that a hook answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum HookEvent {
    /// A prompt was sent
    Prompt,
    /// A search is about to run
    Search,
    /// A sub-agent starts
    Subagent,
}

/// Limit of an event in bytes.
const MAX_EVENT_LEN: u64 = 4 << 20;

/// Prints the answer to an event. A failed hook prints a note and succeeds, so that the agent goes on.
///
/// # Errors
/// When standard output can't be written.
pub fn run(session: &Session, arguments: &HookArguments) -> Result<Status, CliError> {
    let kind = match arguments.event {
        HookEvent::Prompt => HookKind::Prompt,
        HookEvent::Search => HookKind::Search,
        HookEvent::Subagent => HookKind::Subagent,
    };
    let mut input = String::new();
    let read = std::io::stdin().lock().take(MAX_EVENT_LEN).read_to_string(&mut input);
    let mut notes = Vec::new();
    let answer = match read {
        Ok(_) => agents::answer(kind, &input, Duration::from_millis(arguments.limit), &mut notes)
            .map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    match answer {
        Ok(Some(answer)) => {
            let mut out = stdout();
            writeln!(out, "{answer}")?;
            out.flush()?;
        }
        Ok(None) => (),
        Err(problem) => session.note(&format!("hook: {problem}")),
    }
    notes.iter().for_each(|problem| session.note(&format!("hook: {problem}")));
    Ok(Status::Success)
}
