//! Resolves the symbol names of command-line arguments.

use super::exit::CliError;
use super::session::Session;
use crate::engine::EngineError;
use crate::engine::inspect::NameError;
use crate::model::Symbol;
use crate::workspace::Workspace;

/// Returns the symbol that `name`, the value of `option`, refers to. Prints a note and returns `None` when there is
/// none.
///
/// # Errors
/// When the name is ambiguous (the error lists the candidates) or an index can't be read.
pub fn by_name(
    session: &Session,
    workspace: &mut Workspace,
    option: &str,
    name: &str,
) -> Result<Option<Symbol>, CliError> {
    if name.trim().is_empty() {
        return Err(CliError::Usage(format!("the symbol for {option} is empty; `knowing query` finds names")));
    }
    let name = workspace.from_root(name);
    let symbol = workspace.questions()?.symbol_named(&name);
    known(session, workspace, symbol)
}

/// Returns a result of the engine; `None`, with a note, if a name in the request is unknown.
///
/// # Errors
/// When a name is ambiguous (the error lists the candidates), and all others of `result`.
pub fn known<T>(
    session: &Session,
    workspace: &Workspace,
    result: Result<T, EngineError>,
) -> Result<Option<T>, CliError> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(EngineError::Name(error)) => unknown(session, workspace, &error).map(|()| None),
        Err(error) => Err(error.into()),
    }
}

fn unknown(session: &Session, workspace: &Workspace, error: &NameError) -> Result<(), CliError> {
    if !error.choices.is_empty() {
        return Err(CliError::Usage(seen_from_folder(workspace, error).to_string()));
    }
    if !session.note_empty(workspace)? {
        session.note(&error.to_string());
    }
    Ok(())
}

/// Returns an error whose places are relative to the current folder.
fn seen_from_folder(workspace: &Workspace, error: &NameError) -> NameError {
    let (names, mut error) = (workspace.repositories(), error.clone());
    for (name, symbol) in &mut error.choices {
        let place = symbol.place();
        symbol.file = names.shown(symbol).into_owned();
        if *name == place {
            *name = symbol.place();
        }
    }
    error
}
