//! Open types: types that several definitions declare together, such as reopened classes and partial classes.
//!
//! Definitions of one qualified name are the parts of one type. One of them represents the type in values and edges:
//! it has the members of all parts.

use std::collections::HashMap;
use std::sync::Arc;

use super::input::{FileIndex, FileInput};
use super::rules::Rules;
use super::value::SymbolRef;
use crate::facts::{Definition, NameKey, Outline, name_key};
use crate::model::DefId;
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

impl<'a> OpenTypes<'a> {
    /// Collects the types of the languages whose types are open.
    pub fn collect(files: &'a [FileInput<'a>], rules: &[&dyn Rules]) -> OpenTypes<'a> {
        let mut groups: HashMap<QualifiedName<'a>, Vec<SymbolRef>> = HashMap::new();
        for (file, input) in FileIndex::sequence().zip(files) {
            if !rules[file.index()].traits().types_are_open {
                continue;
            }
            for (number, definition) in DefId::sequence().zip(&input.outline.definitions) {
                if definition.kind.is_type() && !definition.flags.is_alias && !definition.flags.is_local {
                    let key = (input.language, qualified_name(input.outline, definition));
                    groups.entry(key).or_default().push(SymbolRef { file, definition: number });
                }
            }
        }
        let definition = |part: &SymbolRef| &files[part.file.index()].outline.definitions[part.definition.index()];
        let mut types = OpenTypes::default();
        for (name, mut parts) in groups {
            // A file that is called like the type is where readers look for it.
            parts.sort_by_key(|part| {
                let known = definition(part);
                let has_other_name = !is_called(files[part.file.index()].path, outline_name(files, *part));
                (known.flags.is_test, has_other_name, known.bases.is_empty(), *part)
            });
            // Tests run one by one, so what two of them declare alike are different types.
            let is_test = parts.iter().all(|part| definition(part).flags.is_test);
            let is_part = |part: &SymbolRef| !is_test && rules[part.file.index()].is_part(definition(part));
            let (open, mut others): (Vec<SymbolRef>, Vec<SymbolRef>) = parts.into_iter().partition(is_part);
            if !open.is_empty() {
                types.add(name, &open);
            }
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
    pub fn enclosing(&self, file: FileIndex, input: &FileInput<'a>, definition: &Definition) -> Option<SymbolRef> {
        if self.by_name.is_empty() || definition.scope_names.is_empty() || definition.flags.is_local {
            return None;
        }
        let name = joined(input.outline, definition, false);
        let found = self.by_name.get(&(input.language, name_key(&format!("{name}`0"))))?;
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

fn outline_name<'a>(files: &'a [FileInput<'_>], symbol: SymbolRef) -> &'a str {
    let outline = files[symbol.file.index()].outline;
    outline.names.get(outline.definitions[symbol.definition.index()].name)
}

/// Returns whether a file is called like a type: `http_client.rb` and `HttpClient.cs` like `HttpClient`.
fn is_called(path: &str, name: &str) -> bool {
    let stem = file_name(path).split('.').next().unwrap_or_default();
    let letters = |text: &str| text.bytes().filter(u8::is_ascii_alphanumeric).map(|b| b.to_ascii_lowercase()).collect();
    let (stem, name): (Vec<u8>, Vec<u8>) = (letters(stem), letters(name));
    stem == name
}
