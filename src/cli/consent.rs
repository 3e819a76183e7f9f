//! Asks before a folder is indexed that is more than a project.

use std::io::{self, IsTerminal, Write};

use super::exit::CliError;
use super::session::Session;
use crate::engine::Engine;
use crate::text::display;

/// Returns when the engine's folder may be indexed. If it is more than a project, `--yes` or the answer to a question
/// on the terminal decides.
///
/// # Errors
/// When the user refuses, or can't be asked.
pub fn require(session: &Session, engine: &Engine) -> Result<(), CliError> {
    let Some(concern) = engine.concern().filter(|_| !session.yes) else { return Ok(()) };
    let root = engine.root().display().to_string();
    if io::stdin().is_terminal() && io::stderr().is_terminal() {
        let question = format!("{} {concern}. Index it? [y/N] ", display::safe(&root));
        if is_agreed(&question).map_err(|error| CliError::Unusable(error.into()))? {
            return Ok(());
        }
        return Err(CliError::Usage(format!("{root} was not indexed")));
    }
    Err(CliError::Usage(format!("{root} {concern}; to index it, add --yes")))
}

/// Asks a question on standard error; returns whether the answer is yes.
///
/// # Errors
/// When the terminal can't be used.
pub fn is_agreed(question: &str) -> io::Result<bool> {
    let mut error = io::stderr().lock();
    error.write_all(question.as_bytes())?;
    error.flush()?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    Ok(["y", "yes"].contains(&answer.trim().to_lowercase().as_str()))
}
