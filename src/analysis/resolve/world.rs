//! The input of resolution: the facts of all files, and the tables built from their outlines.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::duplicates::Duplicates;
use super::eval::Evaluator;
use super::globs::GlobImports;
use super::guess::Guesses;
use super::input::{CodeSource, FileIndex, FileInput, Manifest};
use super::modules::Modules;
use super::name_table::NameTable;
use super::named::file_keys;
use super::open_types::OpenTypes;
use super::rules::Rules;
use super::scip::ScipFiles;
use super::value::{ParameterRef, SymbolRef, Value};
use crate::facts::{
    Atom, BindingKind, Code, Container, Definition, Expr, ExprId, Extension, ExtensionId, NameKey, Outline, ScopeId,
    name_key, objects,
};
use crate::model::{DefId, SymbolKind};

/// Symbols of one name, usually one.
pub type Symbols = SmallVec<[SymbolRef; 1]>;

/// An extension block: its file and its index in the outline.
pub type ExtensionRef = (FileIndex, u32);

/// The facts of all files: the tables over them, and the source of their code. Shared by all threads.
pub struct World<'a> {
    tables: Arc<Tables<'a>>,
    code: &'a dyn CodeSource,
}

/// The tables over the outlines of all files. Built once a run; they refer to no code, so that it can be dropped between
/// batches of files.
pub struct Tables<'a> {
    pub files: &'a [FileInput<'a>],
    rules: Vec<&'a dyn Rules>,
    pub modules: Modules,
    /// Types that several definitions declare together.
    pub open_types: OpenTypes<'a>,
    /// Definitions of one full name in several folders.
    pub duplicates: Duplicates,
    /// Members declared in a type's own body.
    members: NameTable<SymbolRef, SymbolRef>,
    /// The only abstract method of each type that has abstract ones; `None` if it has several.
    only_methods: FxHashMap<SymbolRef, Option<SymbolRef>>,
    /// Variables and functions that own members, and whether values made by them have these, too.
    objects: FxHashMap<SymbolRef, bool>,
    /// Names of all members.
    member_names: FxHashSet<NameKey>,
    /// Members of an extension block.
    extension_members: FxHashMap<(ExtensionRef, NameKey), Symbols>,
    /// Callable definitions and types by language and name; also fields in languages where those are called.
    by_name: NameTable<u32, SymbolRef>,
    /// The languages, sorted; [`Tables::by_name`] has their positions.
    languages: Vec<&'a str>,
    /// The answers of [`super::guess`], by language and name, for the names of which some type has a member.
    guesses: FxHashMap<(u32, NameKey), Guesses>,
    /// Glob imports of each scope.
    pub globs: GlobImports,
    /// Whether any file can define services.
    pub has_services: bool,
    /// The files by their names, without folders.
    files_by_name: OnceLock<FxHashMap<NameKey, Vec<FileIndex>>>,
    extensions: Extensions,
    /// Statements of SCIP indexes, which take precedence over evaluation.
    pub scip: ScipFiles,
}

/// The extension blocks of each type, and the target of each block.
#[derive(Default)]
pub struct Extensions {
    /// Blocks of each type in file order.
    pub of_type: FxHashMap<SymbolRef, Vec<ExtensionRef>>,
    /// Blocks of each type that have a member of a name: inherent ones first, each in file order.
    with_member: FxHashMap<(SymbolRef, NameKey), Vec<ExtensionRef>>,
    /// Blocks whose target is a type parameter or an external type, in file order.
    pub others: Vec<ExtensionRef>,
    /// The target of each block, as an instance with the block's own parameters as arguments.
    pub targets: FxHashMap<ExtensionRef, Value>,
    external_impls: OnceLock<ExternalImpls>,
}

/// Implementations of traits for external types, by the last segments of their names.
#[derive(Default)]
pub struct ExternalImpls {
    /// External types and the traits that blocks implement for them.
    pub named: FxHashSet<(NameKey, NameKey)>,
    /// Traits with blanket implementations, and the type parameters that those are for.
    pub blanket: FxHashMap<NameKey, Vec<ParameterRef>>,
}

/// Returns the languages of the files, sorted.
fn languages<'a>(files: &[FileInput<'a>]) -> Vec<&'a str> {
    let mut languages: Vec<&str> = files.iter().map(|file| file.language).collect();
    languages.sort_unstable();
    languages.dedup();
    languages
}

impl<'a> Deref for World<'a> {
    type Target = Tables<'a>;

    fn deref(&self) -> &Tables<'a> {
        &self.tables
    }
}

impl<'a> World<'a> {
    /// Builds the tables. `rules_of` maps the name of a language to its rules.
    pub fn new(
        files: &'a [FileInput<'a>],
        manifests: &[Manifest],
        code: &'a dyn CodeSource,
        rules_of: &dyn Fn(&str) -> &'static dyn Rules,
    ) -> World<'a> {
        let tables = Tables {
            files,
            rules: files.iter().map(|file| rules_of(file.language) as &dyn Rules).collect(),
            modules: Modules::default(),
            open_types: OpenTypes::default(),
            duplicates: Duplicates::default(),
            members: NameTable::default(),
            only_methods: FxHashMap::default(),
            objects: FxHashMap::default(),
            member_names: FxHashSet::default(),
            extension_members: FxHashMap::default(),
            by_name: NameTable::default(),
            languages: languages(files),
            guesses: FxHashMap::default(),
            globs: GlobImports::default(),
            has_services: files.iter().any(|file| rules_of(file.language).traits().has_services),
            files_by_name: OnceLock::new(),
            extensions: Extensions::default(),
            scip: ScipFiles::new(),
        };
        let mut world = World { tables: Arc::new(tables), code };
        world.set(|tables| {
            tables.add_modules(manifests, rules_of);
            tables.open_types = OpenTypes::collect(files, &tables.rules);
            let context = (&tables.rules[..], &tables.open_types);
            tables.duplicates = Duplicates::collect(files, &tables.modules, context);
            tables.add_members();
        });
        let guesses =
            world.by_name.iter().map(|(language, name, named)| ((language, name), Guesses::among(&world, named)));
        let guesses = guesses.filter(|(_, guesses)| guesses.is_any()).collect();
        let globs = GlobImports::collect(files, &world.modules);
        world.set(|tables| (tables.guesses, tables.globs) = (guesses, globs));
        let targets = GlobImports::evaluate_targets(&world);
        world.set(|tables| tables.globs.set_targets(targets));
        // Eager: a worker that waits for a lazy evaluation could run a job that needs its result, and deadlock.
        let extensions = world.evaluate_extensions();
        world.set(|tables| tables.extensions = extensions);
        world
    }

    /// Changes the tables, before another world shares them.
    fn set(&mut self, change: impl FnOnce(&mut Tables<'a>)) {
        match Arc::get_mut(&mut self.tables) {
            Some(tables) => change(tables),
            None => unreachable!("tables are complete before they are shared"),
        }
    }

    /// Sets the statements of SCIP indexes.
    pub fn set_scip(&mut self, scip: ScipFiles) {
        self.set(|tables| tables.scip = scip);
    }

    /// Returns the same world with another source of code.
    pub fn with_code<'b>(&self, code: &'b dyn CodeSource) -> World<'b>
    where
        'a: 'b,
    {
        let tables: Arc<Tables<'b>> = Arc::clone(&self.tables);
        World { tables, code }
    }
}

impl<'a> Tables<'a> {
    fn add_modules(&mut self, manifests: &[Manifest], rules_of: &dyn Fn(&str) -> &'static dyn Rules) {
        for &language in &self.languages {
            let own: Vec<(FileIndex, FileInput<'_>)> = FileIndex::sequence()
                .zip(self.files)
                .filter(|(_, file)| file.language == language)
                .map(|(number, file)| (number, *file))
                .collect();
            rules_of(language).modules(&own, manifests, &mut self.modules);
        }
        self.modules.complete(self.files);
    }

    /// Returns the position of a language.
    fn language(&self, name: &str) -> Option<u32> {
        self.languages.binary_search(&name).ok().map(|position| position as u32)
    }

    fn add_members(&mut self) {
        let (mut members, mut by_name) = (Vec::new(), Vec::new());
        for (file, input) in FileIndex::sequence().zip(self.files) {
            let objects = objects(&input.outline.definitions).into_iter();
            self.objects.extend(objects.map(|(definition, made)| (SymbolRef { file, definition }, made)));
            let language = self.language(input.language).unwrap_or_default();
            for (number, definition) in DefId::sequence().zip(&input.outline.definitions) {
                let symbol = SymbolRef { file, definition: number };
                let key = input.outline.names.key(definition.name);
                let owner = match definition.container {
                    Container::Module => self.open_types.enclosing(file, input, definition),
                    Container::Definition(owner) => Some(SymbolRef { file, definition: owner }),
                    Container::Extension(block) => {
                        self.extension_members.entry(((file, block.0), key)).or_default().push(symbol);
                        self.member_names.insert(key);
                        None
                    }
                };
                if let Some(owner) = owner {
                    if definition.kind.is_callable() && definition.flags.is_abstract {
                        self.only_methods.entry(owner).and_modify(|only| *only = None).or_insert(Some(symbol));
                    }
                    let owner = self.open_types.representative(owner);
                    members.push((owner, key, symbol));
                    self.member_names.insert(key);
                }
                let traits = self.rules[file.index()].traits();
                let is_called = definition.kind == SymbolKind::Field
                    && (traits.fields_may_be_functions || traits.resolves_by_name && definition.flags.is_variant);
                if definition.kind.is_callable() || definition.kind.is_type() || is_called {
                    by_name.push((language, key, symbol));
                }
            }
        }
        self.members = NameTable::new(members);
        self.by_name = NameTable::new(by_name);
    }
}

impl<'a> World<'a> {
    /// Returns the files with the name of this one, in order, by one of its [`file_keys`].
    pub fn files_named(&self, name: NameKey) -> &[FileIndex] {
        let by_name = self.files_by_name.get_or_init(|| {
            let mut by_name: FxHashMap<NameKey, Vec<FileIndex>> = FxHashMap::default();
            for (number, file) in FileIndex::sequence().zip(self.files) {
                for key in file_keys(file.path) {
                    by_name.entry(key).or_default().push(number);
                }
            }
            by_name
        });
        by_name.get(&name).map_or(&[], Vec::as_slice)
    }

    /// Returns for each file a hash of the files whose texts it has, 0 in a language without includes.
    pub fn reached_texts(&self) -> Vec<u64> {
        let mut hashes = vec![0; self.files.len()];
        for language in &self.languages {
            let Some(any) = self.files.iter().position(|file| file.language == *language) else { continue };
            for (file, hash) in self.rules[any].reached_texts(&self.modules) {
                hashes[file.index()] = hash;
            }
        }
        hashes
    }

    /// Returns the outline of a file.
    pub fn outline(&self, file: FileIndex) -> &'a Outline {
        self.files[file.index()].outline
    }

    /// Returns the code of a file, loading it on first use.
    pub fn code(&self, file: FileIndex) -> &'a Code {
        self.code.code(file)
    }

    /// Returns the rules of a file's language.
    pub fn rules(&self, file: FileIndex) -> &'a dyn Rules {
        self.rules[file.index()]
    }

    /// Returns a definition.
    pub fn definition(&self, symbol: SymbolRef) -> &'a Definition {
        &self.outline(symbol.file).definitions[symbol.definition.index()]
    }

    /// Returns a definition's name.
    pub fn name(&self, symbol: SymbolRef) -> &'a str {
        self.outline(symbol.file).names.get(self.definition(symbol).name)
    }

    /// Returns an extension block.
    pub fn extension(&self, block: ExtensionRef) -> &'a Extension {
        &self.outline(block.0).extensions[block.1 as usize]
    }

    /// Returns the members of this name in a type's own body.
    pub fn own_members(&self, owner: SymbolRef, name: NameKey) -> &[SymbolRef] {
        self.members.get(owner, name)
    }

    /// Returns whether a variable or function owns members.
    pub fn is_object(&self, symbol: SymbolRef) -> bool {
        self.objects.contains_key(&symbol)
    }

    /// Returns whether calling a function with `new` makes values that have the members that it owns.
    pub fn makes_instances(&self, symbol: SymbolRef) -> bool {
        self.objects.get(&symbol) == Some(&true) && self.definition(symbol).kind == SymbolKind::Function
    }

    /// Returns the only abstract method in a type's own body; `None` if there are none or several.
    pub fn only_method(&self, owner: SymbolRef) -> Option<SymbolRef> {
        self.only_methods.get(&owner).copied().flatten()
    }

    /// Returns whether any type has a member of this name, in its body or in an extension block.
    pub fn has_member(&self, name: NameKey) -> bool {
        self.member_names.contains(&name)
    }

    /// Returns the members of this name in an extension block.
    pub fn extension_members(&self, block: ExtensionRef, name: NameKey) -> &[SymbolRef] {
        self.extension_members.get(&(block, name)).map_or(&[], |found| found.as_slice())
    }

    /// Returns the callable definitions and types of this name in a language; also fields in languages where those are
    /// called.
    pub fn named(&self, language: &'a str, name: NameKey) -> &[SymbolRef] {
        self.language(language).map_or(&[], |language| self.by_name.get(language, name))
    }

    /// Returns what a call of this name on an unknown receiver means in a language, if a definition has the name.
    pub(super) fn guess(&self, language: &'a str, name: NameKey) -> Option<&Guesses> {
        self.guesses.get(&(self.language(language)?, name))
    }

    /// Returns the extension blocks of a type that have a member of this name: inherent ones first, each in file order.
    pub fn extensions_with(&self, symbol: SymbolRef, name: NameKey) -> &[ExtensionRef] {
        self.extensions.with_member.get(&(symbol, name)).map_or(&[], Vec::as_slice)
    }

    /// Returns the extension blocks; their targets are evaluated once for the whole repository.
    pub fn extensions(&self) -> &Extensions {
        &self.extensions
    }

    /// Returns the implementations for external types. Computed on first use, because it loads the blocks' code.
    pub fn external_impls(&self) -> &ExternalImpls {
        self.extensions.external_impls.get_or_init(|| {
            let mut impls = ExternalImpls::default();
            for block in &self.extensions.others {
                let implements = self.extension(*block).implements;
                let Some(name) = implements.and_then(|expr| self.last_name(block.0, expr)) else { continue };
                let name = self.outline(block.0).names.key(name);
                match self.extensions.targets.get(block) {
                    Some(Value::ExternalInstance { name: target, .. }) => {
                        let last = target.rsplit('.').next().unwrap_or(target);
                        impls.named.insert((name_key(last), name));
                    }
                    Some(Value::Parameter(parameter)) => impls.blanket.entry(name).or_default().push(*parameter),
                    _ => {}
                }
            }
            impls
        })
    }

    /// Returns the last segment of a path, without evaluating it.
    pub(super) fn last_name(&self, file: FileIndex, expr: ExprId) -> Option<Atom> {
        match &self.code(file).expressions[expr.0 as usize] {
            Expr::Name(name) | Expr::Member { name, .. } => Some(*name),
            Expr::Apply { base, .. } => self.last_name(file, *base),
            _ => None,
        }
    }

    /// Returns the target of a block. A plain type of the same module, the usual case, is found without loading code.
    fn target(&self, eval: &mut Evaluator<'_>, block: ExtensionRef) -> Value {
        let extension = self.extension(block);
        let outline = self.outline(block.0);
        let module = self.modules.for_scope(block.0, ScopeId(0));
        if extension.type_parameters.is_empty()
            && self.rules(block.0).traits().extends_own_module_only
            && let Some(module) = module
        {
            let key = outline.names.key(extension.target_name);
            for &(file, index) in self.modules.bindings(module, key) {
                if let BindingKind::Definition(definition) = self.outline(file).bindings[index as usize].kind {
                    let symbol = SymbolRef { file, definition };
                    let known = self.definition(symbol);
                    if known.kind.is_type() && !known.flags.is_alias && known.type_parameters.is_empty() {
                        return Value::Instance { symbol, args: Arc::new([]) };
                    }
                }
            }
        }
        eval.extension_target(block.0, ExtensionId(block.1))
    }

    fn evaluate_extensions(&self) -> Extensions {
        use rayon::prelude::*;
        let mut order: Vec<FileIndex> = FileIndex::sequence().take(self.files.len()).collect();
        order.sort_by_key(|file| self.outline(*file).is_build_excluded);
        let evaluated: Vec<Vec<(ExtensionRef, Value)>> = order
            .into_par_iter()
            .map(|file| {
                let mut eval = Evaluator::without_extensions(self, file);
                let blocks = 0..self.outline(file).extensions.len() as u32;
                blocks.map(|block| ((file, block), self.target(&mut eval, (file, block)))).collect()
            })
            .collect();
        let mut extensions = Extensions::default();
        for (block, target) in evaluated.into_iter().flatten() {
            match &target {
                Value::Instance { symbol, .. } => extensions.of_type.entry(*symbol).or_default().push(block),
                _ => extensions.others.push(block),
            }
            extensions.targets.insert(block, target);
        }
        self.add_blocks_with_member(&mut extensions);
        extensions
    }

    fn add_blocks_with_member(&self, extensions: &mut Extensions) {
        for &(block, name) in self.extension_members.keys() {
            if let Some(Value::Instance { symbol, .. }) = extensions.targets.get(&block) {
                extensions.with_member.entry((*symbol, name)).or_default().push(block);
            }
        }
        for blocks in extensions.with_member.values_mut() {
            blocks.sort_unstable_by_key(|&block| {
                (self.extension(block).implements.is_some(), self.outline(block.0).is_build_excluded, block)
            });
        }
    }
}
