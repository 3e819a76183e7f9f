//! Matches the symbols of SCIP indexes with definitions, by file, enclosing names, name and kind.

use std::collections::{HashMap, HashSet};

use scip::symbol::{is_local_symbol, parse_symbol};
use scip::types::descriptor::Suffix;
use scip::types::{Descriptor, Document, SymbolRole};

use crate::facts::{Definition, Outline};
use crate::index::file_set::FileSet;
use crate::model::{DefId, FileIndex, SymbolKind};
use crate::resolve::scip::ScipTarget;
use crate::resolve::value::SymbolRef;

/// The definitions of all symbols of the indexes.
pub(super) struct Definitions<'d> {
    symbols: HashMap<&'d str, Known>,
    /// Symbols that a document of the repository defines.
    defined: HashSet<&'d str>,
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
    pub(super) fn new(file_set: &FileSet, documents: &'d HashMap<String, Document>) -> Definitions<'d> {
        let mut definitions = Definitions { symbols: HashMap::new(), defined: HashSet::new() };
        for (file, entry) in FileIndex::sequence().zip(&file_set.entries) {
            let Some(document) = documents.get(&entry.row.path) else { continue };
            let by_name = by_name(&entry.outline);
            for occurrence in document.occurrences.iter().filter(|occurrence| is_definition(occurrence.symbol_roles)) {
                let symbol = occurrence.symbol.as_str();
                if is_local_symbol(symbol) || !definitions.defined.insert(symbol) {
                    continue;
                }
                let Ok(parsed) = parse_symbol(symbol) else { continue };
                if let Some(definition) = matching(&parsed.descriptors, &entry.outline, &by_name) {
                    let names = parsed.descriptors.iter().rev().take(2).map(|part| plain(&part.name).to_owned());
                    let definition = SymbolRef { file, definition };
                    definitions.symbols.insert(symbol, Known { definition, names: names.collect() });
                }
            }
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

fn by_name(outline: &Outline) -> HashMap<&str, Vec<DefId>> {
    let mut by_name: HashMap<&str, Vec<DefId>> = HashMap::new();
    for (id, definition) in DefId::sequence().zip(&outline.definitions) {
        by_name.entry(outline.names.get(definition.name)).or_default().push(id);
    }
    by_name
}

/// Returns the first definition with the names of the descriptors, preferably one of their kind.
fn matching(descriptors: &[Descriptor], outline: &Outline, by_name: &HashMap<&str, Vec<DefId>>) -> Option<DefId> {
    let suffix = |descriptor: &Descriptor| descriptor.suffix.enum_value().unwrap_or_default();
    let is_outer = |descriptor: &&Descriptor| matches!(suffix(descriptor), Suffix::Namespace | Suffix::Package);
    let (last, around) = descriptors.split_last()?;
    if matches!(suffix(last), Suffix::Parameter | Suffix::TypeParameter | Suffix::Namespace | Suffix::Meta) {
        return None;
    }
    let around: Vec<&str> =
        (around.iter().filter(|descriptor| !is_outer(descriptor))).map(|descriptor| plain(&descriptor.name)).collect();
    let has_names = |definition: &Definition| {
        let scope = definition.scope_names.iter().map(|&name| outline.names.get(name));
        // The indexes have no names for inline modules, and those of functions around a definition may be left out.
        scope.rev().zip(around.iter().rev()).all(|(one, other)| one == *other)
            && (around.is_empty() || !definition.scope_names.is_empty())
            && (!around.is_empty() || definition.scope_names.is_empty())
    };
    let is_kind = |definition: &Definition| match suffix(last) {
        Suffix::Type => definition.kind.is_type(),
        Suffix::Method => definition.kind.is_callable(),
        Suffix::Macro => definition.kind == SymbolKind::Macro,
        _ => !definition.kind.is_type(),
    };
    let named = by_name.get(plain(&last.name)).map_or(&[][..], Vec::as_slice);
    let definition = |id: DefId| &outline.definitions[id.index()];
    let mut candidates = named.iter().copied().filter(|&id| has_names(definition(id)));
    let first = candidates.clone().next();
    candidates.find(|&id| is_kind(definition(id))).or(first)
}

/// Returns the name as the source has it: some indexers write `<constructor>`, `<get>name`.
pub(super) fn plain(name: &str) -> &str {
    match name.split_once('>') {
        Some((tag, "")) => tag.trim_start_matches('<'),
        Some((tag, rest)) if tag.starts_with('<') => rest,
        _ => name,
    }
}
