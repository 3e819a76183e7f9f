//! The modules of a repository: their files and inline blocks, and their nesting.

use std::any::Any;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::input::FileIndex;
use super::name_table::NameTable;
use crate::facts::{Binding, NameKey, Outline, ScopeId, name_key};
use crate::model::SymbolKind;

/// Number of a module in its [`World`](super::world::World).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModuleId(pub u32);

/// A module: a Python or TypeScript file, a Go package, a Rust module.
#[derive(Debug, Default)]
pub struct Module {
    /// Its files and module-level scopes: several for a Go package, one for most others.
    pub parts: Vec<(FileIndex, ScopeId)>,
    pub parent: Option<ModuleId>,
    pub children: FxHashMap<NameKey, ModuleId>,
    /// Its path in the language's own notation, as in [`Modules::find`].
    pub path: String,
    /// The file that is the target of imports of the whole module.
    pub file: Option<FileIndex>,
}

/// A module-level binding: the file, and the index in the outline's bindings.
pub type BindingRef = (FileIndex, u32);

/// All modules of all languages. Languages add them in [`Rules::modules`](super::rules::Rules::modules).
#[derive(Default)]
pub struct Modules {
    modules: Vec<Module>,
    by_path: FxHashMap<(&'static str, String), ModuleId>,
    by_scope: FxHashMap<(FileIndex, ScopeId), ModuleId>,
    /// Module-level bindings; empty until [`Modules::set_names`].
    names: NameTable<ModuleId, BindingRef>,
    /// Modules that bind each name. Computed on first use, since few repositories need it.
    binding_modules: OnceLock<FxHashMap<NameKey, SmallVec<[ModuleId; 2]>>>,
    state: FxHashMap<&'static str, Box<dyn Any + Send + Sync>>,
}

impl Modules {
    /// Adds a module, or returns the one that this language already has under `path`.
    pub fn add(&mut self, language: &'static str, path: &str, parent: Option<ModuleId>) -> ModuleId {
        if let Some(&known) = self.by_path.get(&(language, path.to_owned())) {
            return known;
        }
        let id = ModuleId(self.modules.len() as u32);
        self.modules.push(Module { parent, path: path.to_owned(), ..Module::default() });
        self.by_path.insert((language, path.to_owned()), id);
        id
    }

    /// Adds another path of a module (a package's name, a second source root). The first module of a path wins.
    pub fn alias(&mut self, language: &'static str, path: &str, module: ModuleId) {
        self.by_path.entry((language, path.to_owned())).or_insert(module);
    }

    /// Adds `child` under `name` to the children of `parent`. The first child of a name wins.
    pub fn nest(&mut self, parent: ModuleId, name: &str, child: ModuleId) {
        self.modules[parent.0 as usize].children.entry(name_key(name)).or_insert(child);
        // A file can declare itself, or a module that declares it in turn; the parents must stay acyclic.
        if self.get(child).parent.is_none() && !self.is_within(parent, child) {
            self.modules[child.0 as usize].parent = Some(parent);
        }
    }

    fn is_within(&self, module: ModuleId, outer: ModuleId) -> bool {
        std::iter::successors(Some(module), |module| self.get(*module).parent).any(|module| module == outer)
    }

    /// Adds a file's top level to a module; the first file added becomes the module's `file`.
    pub fn add_file(&mut self, module: ModuleId, file: FileIndex) {
        self.add_part(module, file, ScopeId(0));
    }

    /// Adds a block of a file, or with the file's own scope its top level, to a module that has parts in many files.
    /// None of them is its `file`.
    pub fn add_block(&mut self, module: ModuleId, file: FileIndex, scope: ScopeId) {
        self.modules[module.0 as usize].parts.push((file, scope));
        self.by_scope.insert((file, scope), module);
    }

    /// Sets the file of a module whose names belong to another one.
    pub fn set_file(&mut self, module: ModuleId, file: FileIndex) {
        self.modules[module.0 as usize].file.get_or_insert(file);
    }

    fn add_part(&mut self, module: ModuleId, file: FileIndex, scope: ScopeId) {
        self.modules[module.0 as usize].parts.push((file, scope));
        self.modules[module.0 as usize].file.get_or_insert(file);
        self.by_scope.insert((file, scope), module);
    }

    /// Stores further data of a language about the project (path mappings, crate names).
    pub fn set_state<T: Any + Send + Sync>(&mut self, language: &'static str, state: T) {
        self.state.insert(language, Box::new(state));
    }

    /// Returns the value passed to [`Modules::set_state`].
    pub fn state<T: Any>(&self, language: &str) -> Option<&T> {
        self.state.get(language)?.downcast_ref()
    }

    /// Returns the module that this language has under `path`.
    pub fn find(&self, language: &'static str, path: &str) -> Option<ModuleId> {
        self.by_path.get(&(language, path.to_owned())).copied()
    }

    /// Returns a module.
    pub fn get(&self, module: ModuleId) -> &Module {
        &self.modules[module.0 as usize]
    }

    /// Returns every module.
    pub fn iter(&self) -> impl Iterator<Item = (ModuleId, &Module)> {
        (0..).map(ModuleId).zip(&self.modules)
    }

    /// Returns the module whose top level is this scope.
    pub fn for_scope(&self, file: FileIndex, scope: ScopeId) -> Option<ModuleId> {
        self.by_scope.get(&(file, scope)).copied()
    }

    /// Returns the module-level bindings of a name, in the order of the module's parts; names that exist only for
    /// importers come first.
    pub fn bindings(&self, module: ModuleId, name: NameKey) -> &[BindingRef] {
        self.names.get(module, name)
    }

    /// Returns the bindings of each name that a module with several parts binds more than once.
    pub fn shared_names(&self) -> impl Iterator<Item = &[BindingRef]> {
        let has_parts = |module: &ModuleId| self.get(*module).parts.len() > 1;
        self.names
            .iter()
            .filter(move |(module, _, bound)| bound.len() > 1 && has_parts(module))
            .map(|(.., bound)| bound)
    }

    /// Returns the modules that bind a name, in unspecified order.
    pub fn binding_modules(&self, name: NameKey) -> &[ModuleId] {
        let by_name = self.binding_modules.get_or_init(|| {
            let mut by_name: FxHashMap<NameKey, SmallVec<[ModuleId; 2]>> = FxHashMap::default();
            for (module, name, _) in self.names.iter() {
                by_name.entry(name).or_default().push(module);
            }
            by_name
        });
        by_name.get(&name).map_or(&[], SmallVec::as_slice)
    }

    /// Sets the module-level bindings of all files; the first one of a name wins.
    pub(super) fn set_names(&mut self, names: Vec<(ModuleId, NameKey, BindingRef)>) {
        self.names = NameTable::new(names);
    }

    /// Adds the inline modules of a file, after all languages have added their files.
    pub(super) fn add_inline(&mut self, number: FileIndex, outline: &Outline) {
        for definition in &outline.definitions {
            let is_known = self.for_scope(number, definition.scope).is_some();
            if definition.kind != SymbolKind::Package || definition.scope == ScopeId(0) || is_known {
                continue;
            }
            let outer = definition.parent.map_or(ScopeId(0), |parent| outline.definitions[parent.index()].scope);
            let Some(parent) = self.for_scope(number, outer).or_else(|| self.for_scope(number, ScopeId(0))) else {
                continue;
            };
            let name = outline.names.get(definition.name);
            let key = name_key(name);
            // Several blocks of one name (a merged namespace, two cfg variants) are one module.
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

    /// Returns the module-level bindings of a file whose inline modules are added. What has no name, such as the variable that a
    /// grammar finds in a macro that it does not know, is bound by none: a use without a name would mean it.
    pub(super) fn names_of(&self, number: FileIndex, outline: &Outline) -> Vec<(ModuleId, NameKey, BindingRef)> {
        let Some(whole) = self.for_scope(number, ScopeId(0)) else { return Vec::new() };
        let mut names = Vec::with_capacity(outline.bindings.len());
        // Scopes that are not a module's top level bind names for importers only; those come first.
        for for_importers in [true, false] {
            let named = |(_, binding): &(u32, &Binding)| !outline.names.get(binding.name).is_empty();
            for (index, binding) in (0_u32..).zip(&outline.bindings).filter(named) {
                let own = self.for_scope(number, binding.scope);
                if own.is_none() == for_importers {
                    names.push((own.unwrap_or(whole), outline.names.key(binding.name), (number, index)));
                }
            }
        }
        names
    }
}
