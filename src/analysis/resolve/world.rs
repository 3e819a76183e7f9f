//! The input of resolution: the facts of all files, and the tables built from their outlines.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::duplicates::{Duplicates, User};
use super::eval::Evaluator;
use super::globs::GlobImports;
use super::guess::{Guesses, Named};
use super::input::{FactSource, FileIndex, FileInput, LanguageFiles, Manifest, each_batch};
use super::modules::{BindingRef, ModuleId, Modules};
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

/// The facts of all files: the tables over them, and their source. Shared by all threads.
pub struct World<'a> {
    tables: Arc<Tables<'a>>,
    facts: &'a dyn FactSource,
}

/// The facts of a file that are needed when its outline is not loaded.
#[derive(Debug, Clone, Copy, Default)]
struct Summary {
    is_test: bool,
    is_build_excluded: bool,
    /// Number of its extension blocks.
    extensions: u32,
}

/// The tables over the outlines of all files. Built once a run; they refer to no facts, so that these can be dropped between
/// batches of files.
pub struct Tables<'a> {
    pub files: &'a [FileInput<'a>],
    rules: Vec<&'a dyn Rules>,
    summaries: Vec<Summary>,
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
    /// The names that were looked up for the targets and that the blocks' files do not mention, if not every file is selected.
    pub looked_up: FxHashSet<NameKey>,
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
    /// Builds the tables, and returns the world with them. `rules_of` maps the name of a language to its rules.
    pub fn new(
        files: &'a [FileInput<'a>],
        manifests: &[Manifest],
        facts: &'a mut dyn FactSource,
        rules_of: &dyn Fn(&str) -> &'static dyn Rules,
    ) -> World<'a> {
        let tables = Tables::build(files, manifests, facts, rules_of);
        World { tables: Arc::new(tables), facts }
    }

    /// Returns the world of these tables, whose facts are from this source.
    pub fn over<'t: 'a>(tables: &Arc<Tables<'t>>, facts: &'a dyn FactSource) -> World<'a> {
        let tables: Arc<Tables<'a>> = Arc::<Tables<'t>>::clone(tables);
        World { tables, facts }
    }
}

/// Tables while they are built: they are changed between the steps that read them together with facts.
struct Building<'a>(Arc<Tables<'a>>);

impl<'a> Building<'a> {
    fn set(&mut self, change: impl FnOnce(&mut Tables<'a>)) {
        match Arc::get_mut(&mut self.0) {
            Some(tables) => change(tables),
            None => unreachable!("each step drops its world"),
        }
    }
}

/// The rows that a file adds to the tables.
#[derive(Default)]
struct FileRows {
    summary: Summary,
    names: Vec<(ModuleId, NameKey, BindingRef)>,
    members: Vec<(SymbolRef, NameKey, SymbolRef)>,
    named: Vec<(u32, NameKey, Named)>,
    extension_members: Vec<(ExtensionRef, NameKey, SymbolRef)>,
    /// Owners and their abstract methods.
    abstract_methods: Vec<(SymbolRef, SymbolRef)>,
    objects: HashMap<DefId, bool>,
}

impl<'a> Tables<'a> {
    /// Builds the tables. `rules_of` maps the name of a language to its rules.
    pub fn build(
        files: &'a [FileInput<'a>],
        manifests: &[Manifest],
        facts: &mut dyn FactSource,
        rules_of: &dyn Fn(&str) -> &'static dyn Rules,
    ) -> Tables<'a> {
        let mut tables = Tables {
            files,
            rules: files.iter().map(|file| rules_of(file.language) as &dyn Rules).collect(),
            summaries: vec![Summary::default(); files.len()],
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
        tables.open_types = OpenTypes::collect(files, &tables.rules, &*facts);
        tables.add_modules(manifests, &*facts, rules_of);
        tables.add_files(&*facts, rules_of);
        let context = (&tables.rules[..], &tables.open_types);
        tables.duplicates = Duplicates::collect(files, &tables.modules, context, &*facts);
        facts.shrink();
        let mut tables = Building(Arc::new(tables));
        let targets = GlobImports::evaluate_targets(&World::over(&tables.0, &*facts));
        tables.set(|tables| tables.globs.set_targets(targets));
        // Eager: a worker that waits for a lazy evaluation could run a job that needs its result, and deadlock.
        let extensions = Extensions::evaluate(&tables.0, facts);
        tables.set(|tables| tables.extensions = extensions);
        match Arc::try_unwrap(tables.0) {
            Ok(tables) => tables,
            Err(_) => unreachable!("each step drops its world"),
        }
    }

    fn add_modules(
        &mut self,
        manifests: &[Manifest],
        facts: &dyn FactSource,
        rules_of: &dyn Fn(&str) -> &'static dyn Rules,
    ) {
        for &language in &self.languages {
            let own: Vec<(FileIndex, FileInput<'_>)> = FileIndex::sequence()
                .zip(self.files)
                .filter(|(_, file)| file.language == language)
                .map(|(number, file)| (number, *file))
                .collect();
            rules_of(language).modules(LanguageFiles { files: &own, facts }, manifests, &mut self.modules);
        }
    }

    /// Returns the position of a language.
    fn language(&self, name: &str) -> Option<u32> {
        self.languages.binary_search(&name).ok().map(|position| position as u32)
    }

    /// Adds all files, in one pass over their outlines, which need not be loaded at once.
    fn add_files(&mut self, facts: &dyn FactSource, rules_of: &dyn Fn(&str) -> &'static dyn Rules) {
        let (mut names, mut excluded_names) = (Vec::new(), Vec::new());
        let (mut members, mut named) = (Vec::new(), Vec::new());
        each_batch(facts, FileIndex::sequence().take(self.files.len()), |batch| {
            for (file, outline) in batch {
                self.modules.add_inline(*file, outline);
                self.globs.add(*file, outline, &self.modules);
            }
            let rows: Vec<FileRows> = batch.par_iter().map(|(file, outline)| self.rows(*file, outline)).collect();
            for ((file, _), mut rows) in batch.iter().zip(rows) {
                self.summaries[file.index()] = rows.summary;
                // The first binding of a name wins, so files excluded from the usual build come last.
                if rows.summary.is_build_excluded { &mut excluded_names } else { &mut names }.append(&mut rows.names);
                members.append(&mut rows.members);
                named.append(&mut rows.named);
                self.add_few(*file, rows);
            }
        });
        self.globs.complete(&self.modules);
        names.append(&mut excluded_names);
        self.modules.set_names(names);
        self.member_names.extend(members.iter().map(|(_, name, _)| *name).filter(|name| *name != name_key("")));
        self.members = NameTable::new(members);
        let named = NameTable::new(named);
        let guesses = named.iter().map(|(language, name, named)| {
            let traits = rules_of(self.languages[language as usize]).traits();
            ((language, name), Guesses::among(named, traits))
        });
        self.guesses = guesses.filter(|(_, guesses)| guesses.is_any()).collect();
        self.by_name = named.map(|named| named.symbol);
    }

    /// Adds what most files have few of.
    fn add_few(&mut self, file: FileIndex, rows: FileRows) {
        self.objects.extend(rows.objects.into_iter().map(|(definition, made)| (SymbolRef { file, definition }, made)));
        for (block, name, symbol) in rows.extension_members {
            self.extension_members.entry((block, name)).or_default().push(symbol);
            self.member_names.insert(name);
        }
        for (owner, method) in rows.abstract_methods {
            self.only_methods.entry(owner).and_modify(|only| *only = None).or_insert(Some(method));
        }
    }

    fn rows(&self, file: FileIndex, outline: &Outline) -> FileRows {
        let mut rows = FileRows {
            summary: Summary {
                is_test: outline.is_test,
                is_build_excluded: outline.is_build_excluded,
                extensions: outline.extensions.len() as u32,
            },
            names: self.modules.names_of(file, outline),
            objects: objects(&outline.definitions),
            ..FileRows::default()
        };
        let name_of_language = self.files[file.index()].language;
        let language = self.language(name_of_language).unwrap_or_default();
        let traits = self.rules[file.index()].traits();
        for (number, definition) in DefId::sequence().zip(&outline.definitions) {
            let symbol = SymbolRef { file, definition: number };
            let key = outline.names.key(definition.name);
            let owner = match definition.container {
                // A namespace or an object beside a type of its name is not that type.
                Container::Module if traits.separates_types => None,
                Container::Module => self.open_types.enclosing((file, name_of_language), outline, definition),
                Container::Definition(owner) => Some(SymbolRef { file, definition: owner }),
                Container::Extension(block) => {
                    rows.extension_members.push(((file, block.0), key, symbol));
                    None
                }
            };
            if let Some(owner) = owner {
                if definition.kind.is_callable() && definition.flags.is_abstract {
                    rows.abstract_methods.push((owner, symbol));
                }
                rows.members.push((self.open_types.representative(owner), key, symbol));
            }
            let is_called = definition.kind == SymbolKind::Field
                && (traits.fields_may_be_functions || traits.resolves_by_name && definition.flags.is_variant);
            let is_named = !outline.names.get(definition.name).is_empty();
            if is_named && (definition.kind.is_callable() || definition.kind.is_type() || is_called) {
                rows.named.push((language, key, Named::new(symbol, definition, traits, &self.open_types)));
            }
        }
        rows
    }

    /// Returns a file as one that means definitions.
    pub fn user(&self, file: FileIndex) -> User {
        (file, self.summaries[file.index()].is_test)
    }

    /// Returns the number of extension blocks of a file.
    pub fn extension_count(&self, file: FileIndex) -> u32 {
        self.summaries[file.index()].extensions
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

    /// Returns the extension blocks; their targets are evaluated once for the whole repository.
    pub fn extensions(&self) -> &Extensions {
        &self.extensions
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

    /// Returns the outline of a file, loading it on first use.
    pub fn outline(&self, file: FileIndex) -> &'a Outline {
        self.facts.outline(file)
    }

    /// Returns the code of a file, loading it on first use.
    pub fn code(&self, file: FileIndex) -> &'a Code {
        self.facts.code(file)
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
    pub fn last_name(&self, file: FileIndex, expr: ExprId) -> Option<Atom> {
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
        match eval.extension_target(block.0, ExtensionId(block.1)) {
            known @ Value::Instance { .. } => known,
            other => self.target_in_block(eval, block).unwrap_or(other),
        }
    }

    /// Returns the target of a block by its path, `A.B`, where another block for `A` declares `B`. While the targets are
    /// evaluated, what blocks declare is not known yet.
    fn target_in_block(&self, eval: &mut Evaluator<'_>, block: ExtensionRef) -> Option<Value> {
        let (file, outline) = (block.0, self.outline(block.0));
        let mut path = Vec::new();
        let mut at = self.extension(block).target;
        while path.len() < MAX_PATH {
            match self.code(file).expressions[at.0 as usize] {
                Expr::Member { base, name } => {
                    path.push(outline.names.get(name));
                    at = base;
                }
                Expr::Name(name) => {
                    path.push(outline.names.get(name));
                    break;
                }
                _ => return None,
            }
        }
        let (own, outer) = path.split_first().filter(|(_, outer)| !outer.is_empty())?;
        let key = name_key(own);
        eval.record_lookup(key);
        let is_meant = |symbol: &&SymbolRef| {
            let definition = self.definition(**symbol);
            let names = &self.outline(symbol.file).names;
            let is_in_block = matches!(definition.container, Container::Extension(_)) && definition.kind.is_type();
            is_in_block
                && definition.scope_names.len() == outer.len()
                && definition.scope_names.iter().rev().zip(outer).all(|(name, wanted)| names.get(*name) == *wanted)
        };
        let mut found = self.named(self.files[file.index()].language, key).iter().filter(is_meant);
        let symbol = *found.next()?;
        found.next().is_none().then(|| Value::Instance { symbol, args: Arc::new([]) })
    }
}

/// Maximum number of names in the path of an extended type.
const MAX_PATH: usize = 16;

/// Number of files whose extension blocks are evaluated at once. What they load is dropped only after them.
const BATCH: usize = 1_024;

impl Extensions {
    /// Evaluates the targets of all blocks.
    fn evaluate(tables: &Arc<Tables<'_>>, facts: &mut dyn FactSource) -> Extensions {
        let has_blocks = |file: &FileIndex| tables.extension_count(*file) > 0;
        let mut order: Vec<FileIndex> = FileIndex::sequence().take(tables.files.len()).filter(has_blocks).collect();
        order.sort_by_key(|file| tables.summaries[file.index()].is_build_excluded);
        let is_partial = FileIndex::sequence().take(tables.files.len()).any(|file| !facts.is_selected(file));
        let mut extensions = Extensions::default();
        let mut implementing: FxHashSet<ExtensionRef> = FxHashSet::default();
        for batch in order.chunks(BATCH) {
            let world = World::over(tables, &*facts);
            let of_file = |file: &FileIndex| -> (Vec<(ExtensionRef, Value)>, Vec<NameKey>) {
                let mut eval = Evaluator::without_extensions(&world, *file);
                let blocks = (0..tables.extension_count(*file)).map(|block| (*file, block));
                let targets = blocks.map(|block| (block, world.target(&mut eval, block))).collect();
                (targets, if is_partial { eval.unmentioned_lookups() } else { Vec::new() })
            };
            let (evaluated, looked_up): (Vec<_>, Vec<_>) = batch.par_iter().map(of_file).unzip();
            extensions.looked_up.extend(looked_up.into_iter().flatten());
            for (block, target) in evaluated.into_iter().flatten() {
                match &target {
                    Value::Instance { symbol, .. } => extensions.of_type.entry(*symbol).or_default().push(block),
                    _ => extensions.others.push(block),
                }
                extensions.targets.insert(block, target);
                if world.extension(block).implements.is_some() {
                    implementing.insert(block);
                }
            }
            drop(world);
            facts.shrink();
        }
        extensions.add_blocks_with_member(tables, &implementing);
        extensions
    }

    /// Adds the blocks by member. `implementing` are those that implement a trait.
    fn add_blocks_with_member(&mut self, tables: &Tables<'_>, implementing: &FxHashSet<ExtensionRef>) {
        for &(block, name) in tables.extension_members.keys() {
            if let Some(Value::Instance { symbol, .. }) = self.targets.get(&block) {
                self.with_member.entry((*symbol, name)).or_default().push(block);
            }
        }
        for blocks in self.with_member.values_mut() {
            blocks.sort_unstable_by_key(|block| {
                (implementing.contains(block), tables.summaries[block.0.index()].is_build_excluded, *block)
            });
        }
    }
}
