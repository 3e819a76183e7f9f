//! Matches the symbols of SCIP indexes with definitions, by file, enclosing names, name and kind.

use std::collections::{HashMap, HashSet};

use scip::symbol::is_local_symbol;
use scip::types::descriptor::Suffix;
use scip::types::{Document, SymbolRole};

use super::names::{Kind, Names};
use super::symbol::{Descriptor, descriptors};
use crate::index::file_set::FileSet;
use crate::model::{DefId, FileIndex};
use crate::resolve::input::FactSource;
use crate::resolve::scip::ScipTarget;
use crate::resolve::value::SymbolRef;

/// The definitions of all symbols of the indexes.
pub(super) struct Definitions<'d> {
    symbols: HashMap<&'d str, Known>,
    /// Symbols that a document of the repository defines.
    defined: HashSet<&'d str>,
    /// Number of descriptors and of names that were looked up for them.
    pub(super) steps: u64,
}

/// A symbol with a definition.
struct Known {
    definition: SymbolRef,
    /// The names under which it is used: its own, and that of the type around it, for constructors.
    names: Vec<String>,
}

impl<'d> Definitions<'d> {
    /// Matches every symbol that a document defines. Lines are not compared, so that an edit of one file does not move
    /// what other files refer to.
    pub(super) fn new(
        file_set: &FileSet,
        facts: &dyn FactSource,
        documents: &'d HashMap<String, Document>,
    ) -> Definitions<'d> {
        let mut definitions = Definitions { symbols: HashMap::new(), defined: HashSet::new(), steps: 0 };
        for (file, entry) in FileIndex::sequence().zip(&file_set.entries) {
            let Some(document) = documents.get(&entry.row.path) else { continue };
            let outline = facts.outline_once(file);
            let names = Names::new(&outline);
            for occurrence in document.occurrences.iter().filter(|occurrence| is_definition(occurrence.symbol_roles)) {
                let symbol = occurrence.symbol.as_str();
                if is_local_symbol(symbol) || !definitions.defined.insert(symbol) {
                    continue;
                }
                let Some(parts) = descriptors(symbol) else { continue };
                definitions.steps += parts.len() as u64;
                if let Some(definition) = matching(&parts, &names) {
                    let names = parts.iter().rev().take(2).map(|part| plain(&part.name).to_owned());
                    let definition = SymbolRef { file, definition };
                    definitions.symbols.insert(symbol, Known { definition, names: names.collect() });
                }
            }
            definitions.steps += names.steps();
        }
        definitions
    }

    /// Returns the definition of a symbol.
    pub(super) fn get(&self, symbol: &str) -> Option<SymbolRef> {
        self.symbols.get(symbol).map(|known| known.definition)
    }

    /// Returns the target of a reference to a symbol under a name; `None` if the repository defines it, but extraction has
    /// no such definition, for symbols of one file such as parameters, and where the source has another name: `self` is
    /// no use of its class, and aliases are resolved by imports.
    pub(super) fn target(&self, symbol: &str, name: &str) -> Option<ScipTarget> {
        let name = name.trim_matches(['"', '\'', '`']);
        match self.symbols.get(symbol) {
            Some(known) if !known.names.iter().any(|known| known == name) => None,
            Some(known) => Some(ScipTarget::Symbol(known.definition)),
            None if is_local_symbol(symbol) || self.defined.contains(symbol) => None,
            None => Some(ScipTarget::External),
        }
    }
}

/// Returns whether an occurrence with these roles is a definition.
pub(super) fn is_definition(roles: i32) -> bool {
    roles & SymbolRole::Definition as i32 != 0
}

/// Returns the first definition with the names of the descriptors, preferably one of their kind.
fn matching(descriptors: &[Descriptor<'_>], names: &Names<'_>) -> Option<DefId> {
    let (last, around) = descriptors.split_last()?;
    let kind = match last.suffix {
        Suffix::Parameter | Suffix::TypeParameter | Suffix::Namespace | Suffix::Meta => return None,
        Suffix::Type => Kind::Type,
        Suffix::Method => Kind::Callable,
        Suffix::Macro => Kind::Macro,
        _ => Kind::Value,
    };
    let around = around.iter().rev().filter(|descriptor| descriptor.suffix != Suffix::Namespace);
    names.find(plain(&last.name), around.map(|descriptor| plain(&descriptor.name)), kind)
}

/// Returns the name as the source has it: some indexers write `<constructor>`, `<get>name`.
pub(super) fn plain(name: &str) -> &str {
    match name.split_once('>') {
        Some((tag, "")) => tag.trim_start_matches('<'),
        Some((tag, rest)) if tag.starts_with('<') => rest,
        _ => name,
    }
}
