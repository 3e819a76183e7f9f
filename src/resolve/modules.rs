//! The repository's modules: which files and inline blocks make them up, and how they nest.

use std::any::Any;
use std::collections::HashMap;

use smallvec::SmallVec;

use super::input::FileInput;
use crate::facts::{NameKey, ScopeId, name_key};
use crate::model::SymbolKind;

/// Number of a module within its world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModuleId(pub u32);

/// A module: a Python or TypeScript file, a Go package, a Rust module.
#[derive(Debug, Default)]
pub struct Module {
    /// Its files and module-level scopes. A Go package has several, most others one.
    pub parts: Vec<(u32, ScopeId)>,
    pub parent: Option<ModuleId>,
    pub children: HashMap<NameKey, ModuleId>,
    /// Its path in the language's own spelling; the name under which [`Modules::find`] knows it.
    pub path: String,
    /// The file that stands for the whole module, as the target of an import.
    pub file: Option<u32>,
}

/// A module-level binding: the file and its place in the outline's bindings.
pub type BoundAt = (u32, u32);

/// All modules of all languages. Languages fill it through [`Rules::modules`](super::Rules::modules).
#[derive(Default)]
pub struct Modules {
    modules: Vec<Module>,
    by_path: HashMap<(&'static str, String), ModuleId>,
    of_scope: HashMap<(u32, ScopeId), ModuleId>,
    names: HashMap<(ModuleId, NameKey), SmallVec<[BoundAt; 1]>>,
    state: HashMap<&'static str, Box<dyn Any + Send + Sync>>,
}

impl Modules {
    /// Adds a module, or gives the one that this language has under `path` already.
    pub fn add(&mut self, language: &'static str, path: &str, parent: Option<ModuleId>) -> ModuleId {
        if let Some(&known) = self.by_path.get(&(language, path.to_owned())) {
            return known;
        }
        let id = ModuleId(self.modules.len() as u32);
        self.modules.push(Module { parent, path: path.to_owned(), ..Module::default() });
        self.by_path.insert((language, path.to_owned()), id);
        id
    }

    /// Another spelling under which a module is found (a package's name, a second source root). The first wins.
    pub fn alias(&mut self, language: &'static str, path: &str, module: ModuleId) {
        self.by_path.entry((language, path.to_owned())).or_insert(module);
    }

    /// Makes `child` reachable as `name` from `parent`. The first wins.
    pub fn nest(&mut self, parent: ModuleId, name: &str, child: ModuleId) {
        self.modules[parent.0 as usize].children.entry(name_key(name)).or_insert(child);
        // A file may declare itself, or one that declares it in turn; parents lead up to a root all the same.
        if self.get(child).parent.is_none() && !self.is_within(parent, child) {
            self.modules[child.0 as usize].parent = Some(parent);
        }
    }

    fn is_within(&self, module: ModuleId, outer: ModuleId) -> bool {
        std::iter::successors(Some(module), |module| self.get(*module).parent).any(|module| module == outer)
    }

    /// Makes a file's top level part of a module; the first file added stands for the module.
    pub fn add_file(&mut self, module: ModuleId, file: u32) {
        self.add_part(module, file, ScopeId(0));
    }

    fn add_part(&mut self, module: ModuleId, file: u32, scope: ScopeId) {
        self.modules[module.0 as usize].parts.push((file, scope));
        self.modules[module.0 as usize].file.get_or_insert(file);
        self.of_scope.insert((file, scope), module);
    }

    /// Keeps whatever else the language knows of the project (path mappings, crate names) for its later calls.
    pub fn keep<T: Any + Send + Sync>(&mut self, language: &'static str, state: T) {
        self.state.insert(language, Box::new(state));
    }

    /// What [`Modules::keep`] was given.
    pub fn state<T: Any>(&self, language: &str) -> Option<&T> {
        self.state.get(language)?.downcast_ref()
    }

    /// The module that this language knows under `path`.
    pub fn find(&self, language: &'static str, path: &str) -> Option<ModuleId> {
        self.by_path.get(&(language, path.to_owned())).copied()
    }

    /// A module by its number.
    pub fn get(&self, module: ModuleId) -> &Module {
        &self.modules[module.0 as usize]
    }

    /// The module that a file's scope is the top level of.
    pub fn of_scope(&self, file: u32, scope: ScopeId) -> Option<ModuleId> {
        self.of_scope.get(&(file, scope)).copied()
    }

    /// Module-level bindings of a name, in the order of the module's parts; names made for importers come first.
    pub fn bindings(&self, module: ModuleId, name: NameKey) -> &[BoundAt] {
        self.names.get(&(module, name)).map_or(&[], |found| found.as_slice())
    }

    /// Adds inline modules and the tables of names, once every language has added its files.
    pub fn complete(&mut self, files: &[FileInput<'_>]) {
        for (number, file) in files.iter().enumerate() {
            self.add_inline(number as u32, file);
        }
        // The first binding of a name is the one that is meant, so files that the usual build leaves out come last.
        for left_out in [false, true] {
            for (number, file) in files.iter().enumerate().filter(|(_, file)| file.outline.is_left_out == left_out) {
                self.add_names(number as u32, file);
            }
        }
    }

    fn add_inline(&mut self, number: u32, file: &FileInput<'_>) {
        for definition in &file.outline.definitions {
            if definition.kind != SymbolKind::Package || definition.scope == ScopeId(0) {
                continue;
            }
            let outer =
                definition.parent.map_or(ScopeId(0), |parent| file.outline.definitions[parent.0 as usize].scope);
            let Some(parent) = self.of_scope(number, outer).or_else(|| self.of_scope(number, ScopeId(0))) else {
                continue;
            };
            let name = file.outline.names.get(definition.name);
            let key = name_key(name);
            // Two blocks of one name (a merged namespace, two cfg variants) are one module.
            let module = match self.get(parent).children.get(&key) {
                Some(&known) => known,
                None => {
                    let path = format!("{}::{name}", self.get(parent).path);
                    let id = ModuleId(self.modules.len() as u32);
                    self.modules.push(Module { parent: Some(parent), path, ..Module::default() });
                    self.modules[parent.0 as usize].children.insert(key, id);
                    id
                }
            };
            self.add_part(module, number, definition.scope);
        }
    }

    fn add_names(&mut self, number: u32, file: &FileInput<'_>) {
        let Some(whole) = self.of_scope(number, ScopeId(0)) else { return };
        // A scope that is no module's top level holds names made for importers: those come first.
        for for_importers in [true, false] {
            for (place, binding) in file.outline.bindings.iter().enumerate() {
                let own = self.of_scope(number, binding.scope);
                if own.is_none() == for_importers {
                    let key = (own.unwrap_or(whole), file.outline.names.key(binding.name));
                    self.names.entry(key).or_default().push((number, place as u32));
                }
            }
        }
    }
}
