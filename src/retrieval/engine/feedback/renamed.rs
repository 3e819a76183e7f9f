//! Feedback that was recorded under another name of the repository: before its folder was renamed or its remote added, or
//! in a clone of another name.

use std::collections::HashMap;

use crate::feedback::{FeedbackEvent, Subject};
use crate::lang::packages::symbol_name;
use crate::model::{Symbol, SymbolId};
use crate::store::{Reader, StoreError};

/// Replaces subjects by those of the same symbols in this repository, where they were recorded under another name of it.
/// The identity of a symbol has the repository's name, so it is computed for each symbol of the package under that name.
/// Whether the package has the same source is not compared.
///
/// # Errors
/// When the store can't be read.
pub(super) fn rename<'a>(subjects: impl Iterator<Item = &'a mut Subject>, reader: &Reader) -> Result<(), StoreError> {
    // By former name and package: the symbols by their former identities.
    let mut packages: HashMap<(String, String), HashMap<SymbolId, Symbol>> = HashMap::new();
    for subject in subjects.filter(|subject| !subject.is_in(reader.repository())) {
        let Some((former, _)) = subject.qualified_name.split_once("://") else { continue };
        let key = (former.to_owned(), subject.package.clone());
        if !packages.contains_key(&key) {
            let symbols = symbols_under(reader, former, &subject.package)?;
            packages.insert(key.clone(), symbols);
        }
        if let Some(symbol) = packages.get(&key).and_then(|symbols| symbols.get(&subject.id)) {
            (subject.id, subject.qualified_name) = (symbol.id, symbol.qualified_name.clone());
        }
    }
    Ok(())
}

/// Renames the subjects of events.
///
/// # Errors
/// When the store can't be read.
pub(super) fn rename_all(events: &mut [FeedbackEvent], reader: &Reader) -> Result<(), StoreError> {
    let subjects = events.iter_mut().flat_map(|event| {
        let of_terms = event.terms.iter_mut().map(|term| &mut term.subject);
        event.votes.iter_mut().map(|vote| &mut vote.subject).chain(of_terms)
    });
    rename(subjects, reader)
}

/// Returns the symbols of a package by the identities that they have in a repository of the name `former`.
fn symbols_under(reader: &Reader, former: &str, package: &str) -> Result<HashMap<SymbolId, Symbol>, StoreError> {
    let mut symbols = HashMap::new();
    for (path, language) in reader.files_of_package(package)? {
        for symbol in reader.symbols_of_file(&path)? {
            let name = symbol_name(symbol.kind, Some((&language, &path)), &symbol.scope, &symbol.name);
            symbols.insert(SymbolId::new(former, name, symbol.kind, symbol.ordinal), symbol);
        }
    }
    Ok(symbols)
}
