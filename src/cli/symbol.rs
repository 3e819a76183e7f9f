//! Symbols as the command line names them.

use super::failure::Failure;
use super::session::Session;
use crate::engine::Reader;
use crate::engine::inspect::{NameLookup, lookup_name};
use crate::model::Symbol;

/// How many symbols with the same name are listed.
const MOST_CHOICES: usize = 20;

/// The symbol that `name`, given to `option`, means; nothing when there is none, which is then said.
///
/// # Errors
/// When it may mean several, which are then listed, or the index can't be read.
pub fn named(session: &Session, reader: &Reader, option: &str, name: &str) -> Result<Option<Symbol>, Failure> {
    if name.trim().is_empty() {
        return Err(Failure::Usage(format!("the symbol for {option} is empty; `knowing query` finds names")));
    }
    match lookup_name(reader, name)? {
        NameLookup::One(symbol) => Ok(Some(*symbol)),
        NameLookup::Ambiguous(choices) => {
            let mut text = format!("`{name}` may be one of {}; give {option} one of these names:", choices.len());
            for (name, symbol) in choices.iter().take(MOST_CHOICES) {
                let line = symbol.span.name_line;
                text.push_str(&format!("\n  {name}  ({} {}:{line})", symbol.kind.name(), symbol.file));
            }
            if choices.len() > MOST_CHOICES {
                text.push_str(&format!("\n  and {} more", choices.len() - MOST_CHOICES));
            }
            Err(Failure::Usage(text))
        }
        NameLookup::Unknown { suggestions: near } => {
            session.note(&match near.as_slice() {
                [] => format!("no symbol is called `{name}`, or anything like it"),
                near => format!("no symbol is called `{name}`; did you mean {}?", near.join(", ")),
            });
            Ok(None)
        }
    }
}
