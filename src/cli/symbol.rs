//! Resolves the symbol names of command-line arguments.

use super::exit::CliError;
use super::session::Session;
use crate::engine::Reader;
use crate::engine::inspect::{NameLookup, lookup_name};
use crate::model::Symbol;

/// Limit of the symbols listed for an ambiguous name.
const MAX_CHOICES: usize = 20;

/// Returns the symbol that `name`, the value of `option`, refers to. Prints a note and returns `None` when there is
/// none.
///
/// # Errors
/// When the name is ambiguous (the error lists the candidates) or the index can't be read.
pub fn by_name(session: &Session, reader: &Reader, option: &str, name: &str) -> Result<Option<Symbol>, CliError> {
    if name.trim().is_empty() {
        return Err(CliError::Usage(format!("the symbol for {option} is empty; `knowing query` finds names")));
    }
    match lookup_name(reader, name)? {
        NameLookup::One(symbol) => Ok(Some(*symbol)),
        NameLookup::Ambiguous(choices) => {
            let mut text =
                format!("`{name}` is ambiguous, {} symbols match; use one of these names for {option}:", choices.len());
            for (name, symbol) in choices.iter().take(MAX_CHOICES) {
                let line = symbol.span.name_line;
                text.push_str(&format!("\n  {name}  ({} {}:{line})", symbol.kind.name(), symbol.file));
            }
            if choices.len() > MAX_CHOICES {
                text.push_str(&format!("\n  and {} more", choices.len() - MAX_CHOICES));
            }
            Err(CliError::Usage(text))
        }
        NameLookup::Unknown { .. } if session.note_without_files(reader)? => Ok(None),
        NameLookup::Unknown { suggestions: near } => {
            session.note(&match near.as_slice() {
                [] => format!("no symbol is called `{name}`"),
                near => format!("no symbol is called `{name}`; did you mean {}?", near.join(", ")),
            });
            Ok(None)
        }
    }
}
