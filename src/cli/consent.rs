//! Asks before a folder is indexed that is more than a project, and before a SCIP index is used that comes with a repository.

use std::io::{self, IsTerminal, Write};

use super::exit::CliError;
use super::session::Session;
use crate::engine::{Engine, ScipAnswer};
use crate::text::display;

/// Returns when the engine's folder may be indexed. If it is more than a project, `--yes` or the answer to a question
/// on the terminal decides.
///
/// # Errors
/// When the user refuses, or can't be asked.
pub fn require(session: &Session, engine: &Engine) -> Result<(), CliError> {
    let Some(concern) = engine.concern().filter(|_| !session.yes) else { return Ok(()) };
    let root = engine.root().display().to_string();
    if can_ask() {
        let question = format!("{} {concern}. Index it? [y/N] ", display::safe(&root));
        if is_agreed(&question).map_err(|error| CliError::Unusable(error.into()))? {
            return Ok(());
        }
        return Err(CliError::Usage(format!("{root} was not indexed")));
    }
    Err(CliError::Usage(format!("{root} {concern}; to index it, add --yes")))
}

/// Asks whether the SCIP index that comes with the engine's repository is used, unless the user has answered before. A
/// user who can't be asked is told how to answer. A failure to record the answer is a note.
pub fn ask_for_scip(session: &Session, engine: &Engine) {
    let Some(path) = engine.unanswered_scip().filter(|_| !session.yes && can_ask()) else {
        return note_scip(session, engine);
    };
    let path = path.display().to_string();
    let question = format!("{} comes with the repository. Use its edges? [y/N] ", display::safe(&path));
    match is_agreed(&question) {
        Ok(true) => record(session, engine, ScipAnswer::Use),
        Ok(false) => record(session, engine, ScipAnswer::Ignore),
        Err(error) => session.note(&format!("{path} is not used: {error}")),
    }
}

/// Like [`ask_for_scip`], for commands that can't ask.
pub fn note_scip(session: &Session, engine: &Engine) {
    match engine.unanswered_scip() {
        None => {}
        Some(_) if session.yes => record(session, engine, ScipAnswer::Use),
        Some(path) => {
            let path = path.display();
            session.note(&format!(
                "{path} comes with the repository and is not used; to use it, run `knowing index --scip {path}`"
            ));
        }
    }
}

fn record(session: &Session, engine: &Engine, answer: ScipAnswer) {
    if let Err(error) = engine.answer_scip(answer) {
        session.note(&format!("the answer about index.scip was not recorded: {error}"));
    }
}

fn can_ask() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
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
