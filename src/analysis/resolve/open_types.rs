//! Open types: types that several definitions declare together, such as reopened classes and partial classes.
//!
//! Definitions of one qualified name are the parts of one type. One of them represents the type in values and edges:
//! it has the members of all parts.

use std::collections::HashMap;
use std::sync::Arc;

use super::input::{FactSource, FileIndex, FileInput, each_outline};
use super::rules::Rules;
use super::value::SymbolRef;
use crate::facts::{Definition, NameKey, Outline, name_key};
use crate::model::{DefId, SymbolKind};
use crate::text::file_name;

/// A language, and the qualified name of a type in it.
type QualifiedName<'a> = (&'a str, NameKey);

/// The types that are declared in several parts.
#[derive(Default)]
pub struct OpenTypes<'a> {
    /// The parts of a type by each of them. The first one represents the type.
    parts: HashMap<SymbolRef, Arc<[SymbolRef]>>,
    /// The representing parts of each qualified name: one, or one a file if only tests declare it.
    by_name: HashMap<QualifiedName<'a>, Vec<SymbolRef>>,
}

/// A definition of a type, as one of its parts.
struct Part {
    symbol: SymbolRef,
    is_test: bool,
    /// Whether its file is not called like it.
    has_other_name: bool,
    /// Whether it can be an interface that adds to a class.
    is_interface: bool,
    is_without_bases: bool,
    /// Whether it says that it is a part.
    is_open: bool,
}

impl<'a> OpenTypes<'a> {
    /// Collects the types of the languages whose types are open.
    pub fn collect(files: &'a [FileInput<'a>], rules: &[&dyn Rules], facts: &dyn FactSource) -> OpenTypes<'a> {
        let mut groups: HashMap<QualifiedName<'a>, Vec<Part>> = HashMap::new();
        let is_open = |file: &FileIndex| rules[file.index()].traits().types_are_open;
        each_outline(facts, FileIndex::sequence().take(files.len()).filter(is_open), |file, outline| {
            let input = &files[file.index()];
            for (number, definition) in DefId::sequence().zip(&outline.definitions) {
                if definition.kind.is_type() && !definition.flags.is_alias && !definition.flags.is_local {
                    groups.entry((input.language, qualified_name(outline, definition))).or_default().push(Part {
                        symbol: SymbolRef { file, definition: number },
                        is_test: definition.flags.is_test,
                        has_other_name: !is_called(input.path, outline.names.get(definition.name)),
                        is_interface: definition.kind == SymbolKind::Interface
                            && rules[file.index()].traits().separates_types,
                        is_without_bases: definition.bases.is_empty(),
                        is_open: rules[file.index()].is_part(outline, definition),
                    });
                }
            }
        });
        let mut types = OpenTypes::default();
        for (name, mut parts) in groups {
            // A file that is called like the type is where readers look for it.
            let rank = |part: &Part| (part.is_test, part.has_other_name, part.is_interface, part.is_without_bases);
            parts.sort_by_key(|part| (rank(part), part.symbol));
            // Tests run one by one, so what two of them declare alike are different types.
            let is_test = parts.iter().all(|part| part.is_test);
            let (open, others): (Vec<Part>, Vec<Part>) = parts.into_iter().partition(|part| !is_test && part.is_open);
            let symbols = |parts: Vec<Part>| parts.into_iter().map(|part| part.symbol).collect::<Vec<SymbolRef>>();
            if !open.is_empty() {
                types.add(name, &symbols(open));
            }
            let mut others = symbols(others);
            others.sort_by_key(|part| part.file);
            others.chunk_by(|left, right| left.file == right.file).for_each(|own| types.add(name, own));
        }
        types
    }

    fn add(&mut self, name: QualifiedName<'a>, parts: &[SymbolRef]) {
        self.by_name.entry(name).or_default().push(parts[0]);
        if parts.len() > 1 {
            let all: Arc<[SymbolRef]> = parts.into();
            self.parts.extend(parts.iter().map(|part| (*part, all.clone())));
        }
    }

    /// Returns the definition that represents the type of which `symbol` is a part.
    pub fn representative(&self, symbol: SymbolRef) -> SymbolRef {
        self.parts.get(&symbol).map_or(symbol, |parts| parts[0])
    }

    /// Returns all parts of the type, `symbol` itself for an ordinary type.
    pub fn parts(&self, symbol: SymbolRef) -> Arc<[SymbolRef]> {
        self.parts.get(&symbol).cloned().unwrap_or_else(|| Arc::new([symbol]))
    }

    /// Returns the type around a definition that is written outside of its body (`class Outer::Inner`).
    pub fn enclosing(
        &self,
        (file, language): (FileIndex, &'a str),
        outline: &Outline,
        definition: &Definition,
    ) -> Option<SymbolRef> {
        if self.by_name.is_empty() || definition.scope_names.is_empty() || definition.flags.is_local {
            return None;
        }
        let name = joined(outline, definition, false);
        let found = self.by_name.get(&(language, name_key(&format!("{name}`0"))))?;
        found.iter().find(|symbol| symbol.file == file).or(found.first()).copied()
    }
}

/// Returns the key of a type: its package, its qualified name, and the number of its type parameters, by which types of
/// one name can differ.
fn qualified_name(outline: &Outline, definition: &Definition) -> NameKey {
    name_key(&format!("{}`{}", joined(outline, definition, true), definition.type_parameters.len()))
}

fn joined(outline: &Outline, definition: &Definition, with_name: bool) -> String {
    let own = with_name.then_some(&definition.name);
    let names = outline.package.iter().chain(&definition.scope_names).chain(own);
    names.map(|name| outline.names.get(*name)).collect::<Vec<_>>().join(".")
}

/// Returns whether a file is called like a type: `http_client.rb` and `HttpClient.cs` like `HttpClient`.
fn is_called(path: &str, name: &str) -> bool {
    let stem = file_name(path).split('.').next().unwrap_or_default();
    let letters = |text: &str| text.bytes().filter(u8::is_ascii_alphanumeric).map(|b| b.to_ascii_lowercase()).collect();
    let (stem, name): (Vec<u8>, Vec<u8>) = (letters(stem), letters(name));
    stem == name
}
