//! The whole repository as the resolver sees it: every file's facts and the tables built from their outlines.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use smallvec::SmallVec;

use super::eval::Evaluator;
use super::input::{CodeSource, FileInput, Manifest};
use super::modules::Modules;
use super::rules::Rules;
use super::value::{ParameterRef, SymbolRef, Value};
use crate::facts::{
    BindingKind, Code, Container, Definition, Expr, ExprId, Extension, ExtensionId, ImportName, NameKey, Outline,
    ScopeId, name_key,
};
use crate::model::SymbolKind;

/// Symbols of one name, usually one.
pub type Symbols = SmallVec<[SymbolRef; 1]>;

/// One extension block: file and place.
pub type ExtensionRef = (u32, u32);

/// Everything that resolution reads. Built once for each run; shared by all threads.
pub struct World<'a> {
    pub files: &'a [FileInput<'a>],
    code: &'a dyn CodeSource,
    rules: Vec<&'a dyn Rules>,
    pub modules: Modules,
    /// Members declared in a type's own body.
    members: HashMap<(SymbolRef, NameKey), Symbols>,
    /// Members of an extension block.
    extension_members: HashMap<(ExtensionRef, NameKey), Symbols>,
    /// Callable definitions and types by language and name, for guesses; fields too where those are called.
    by_name: HashMap<(&'a str, NameKey), Symbols>,
    /// Imports of all names, by the scope they stand in.
    taken_whole: HashMap<(u32, ScopeId), Vec<u32>>,
    /// Those of them that give the names on, by the module-level scope that then has them.
    given_on_whole: HashMap<(u32, ScopeId), Vec<u32>>,
    extensions: Extensions,
}

/// Which extension blocks a type has, and what each block's target is.
#[derive(Default)]
pub struct Extensions {
    /// Blocks of a type in file order.
    pub of_type: HashMap<SymbolRef, Vec<ExtensionRef>>,
    /// Blocks whose target is a type parameter or foreign type, by nothing but their order.
    pub others: Vec<ExtensionRef>,
    /// The target of each block, as an instance with the block's own parameters as arguments.
    pub targets: HashMap<ExtensionRef, Value>,
    abroad: OnceLock<Abroad>,
}

/// What blocks implement for types that are not of the repository. All by the last parts of names.
#[derive(Default)]
pub struct Abroad {
    /// Foreign types and the traits that blocks implement for them.
    pub named: HashSet<(NameKey, NameKey)>,
    /// Traits that blocks implement for whatever a type parameter of theirs may stand for.
    pub blanket: HashMap<NameKey, Vec<ParameterRef>>,
}

impl<'a> World<'a> {
    /// Builds the tables. `rules_of` gives the rules of a language by its name.
    pub fn new(
        files: &'a [FileInput<'a>],
        manifests: &[Manifest],
        code: &'a dyn CodeSource,
        rules_of: &dyn Fn(&str) -> &'static dyn Rules,
    ) -> World<'a> {
        let mut world = World {
            files,
            code,
            rules: files.iter().map(|file| rules_of(file.language) as &dyn Rules).collect(),
            modules: Modules::default(),
            members: HashMap::new(),
            extension_members: HashMap::new(),
            by_name: HashMap::new(),
            taken_whole: HashMap::new(),
            given_on_whole: HashMap::new(),
            extensions: Extensions::default(),
        };
        world.add_modules(manifests, rules_of);
        world.add_members();
        world.add_imports_of_all();
        // Now, not when first asked for: that might be on a thread that waits for this very work.
        let extensions = world.evaluate_extensions();
        world.extensions = extensions;
        world
    }

    fn add_modules(&mut self, manifests: &[Manifest], rules_of: &dyn Fn(&str) -> &'static dyn Rules) {
        let mut languages: Vec<&str> = self.files.iter().map(|file| file.language).collect();
        languages.sort_unstable();
        languages.dedup();
        for language in languages {
            let own: Vec<(u32, FileInput<'_>)> = (0u32..)
                .zip(self.files)
                .filter(|(_, file)| file.language == language)
                .map(|(number, file)| (number, *file))
                .collect();
            rules_of(language).modules(&own, manifests, &mut self.modules);
        }
        self.modules.complete(self.files);
    }

    fn add_members(&mut self) {
        for (file, input) in (0u32..).zip(self.files) {
            for (number, definition) in (0u32..).zip(&input.outline.definitions) {
                let symbol = SymbolRef { file, definition: number };
                let key = input.outline.names.key(definition.name);
                match definition.container {
                    Container::Module => {}
                    Container::Definition(owner) => {
                        let owner = SymbolRef { file, definition: owner.0 };
                        self.members.entry((owner, key)).or_default().push(symbol);
                    }
                    Container::Extension(block) => {
                        self.extension_members.entry(((file, block.0), key)).or_default().push(symbol);
                    }
                }
                let is_called = definition.kind == SymbolKind::Field && self.rules[file as usize].fields_are_called();
                if definition.kind.is_callable() || definition.kind.is_type() || is_called {
                    self.by_name.entry((input.language, key)).or_default().push(symbol);
                }
            }
        }
    }

    fn add_imports_of_all(&mut self) {
        for (file, input) in (0u32..).zip(self.files) {
            for (number, import) in (0u32..).zip(&input.outline.imports) {
                if import.name != ImportName::All {
                    continue;
                }
                self.taken_whole.entry((file, import.scope)).or_default().push(number);
                if import.reexport {
                    // A scope that is no module's holds what the file gives to importers.
                    let is_module = self.modules.of_scope(file, import.scope).is_some();
                    let scope = if is_module { import.scope } else { ScopeId(0) };
                    self.given_on_whole.entry((file, scope)).or_default().push(number);
                }
            }
        }
    }

    /// Imports of all names in a scope, in the order of the file.
    pub fn taken_whole(&self, file: u32, scope: ScopeId) -> &[u32] {
        self.taken_whole.get(&(file, scope)).map_or(&[], Vec::as_slice)
    }

    /// Imports of all names that become names of the module whose top level a scope is.
    pub fn given_on_whole(&self, file: u32, scope: ScopeId) -> &[u32] {
        self.given_on_whole.get(&(file, scope)).map_or(&[], Vec::as_slice)
    }

    /// A file's outline.
    pub fn outline(&self, file: u32) -> &'a Outline {
        self.files[file as usize].outline
    }

    /// A file's code, loaded when first asked for.
    pub fn code(&self, file: u32) -> &'a Code {
        self.code.code(file)
    }

    /// The rules of a file's language.
    pub fn rules(&self, file: u32) -> &'a dyn Rules {
        self.rules[file as usize]
    }

    /// A definition.
    pub fn definition(&self, symbol: SymbolRef) -> &'a Definition {
        &self.outline(symbol.file).definitions[symbol.definition as usize]
    }

    /// A definition's name.
    pub fn name(&self, symbol: SymbolRef) -> &'a str {
        self.outline(symbol.file).names.get(self.definition(symbol).name)
    }

    /// An extension block.
    pub fn extension(&self, block: ExtensionRef) -> &'a Extension {
        &self.outline(block.0).extensions[block.1 as usize]
    }

    /// Members of this name in a type's own body.
    pub fn own_members(&self, owner: SymbolRef, name: NameKey) -> &[SymbolRef] {
        self.members.get(&(owner, name)).map_or(&[], |found| found.as_slice())
    }

    /// Members of this name in an extension block.
    pub fn extension_members(&self, block: ExtensionRef, name: NameKey) -> &[SymbolRef] {
        self.extension_members.get(&(block, name)).map_or(&[], |found| found.as_slice())
    }

    /// Callable definitions and types of this name in a language; fields too where those are called.
    pub fn named(&self, language: &'a str, name: NameKey) -> &[SymbolRef] {
        self.by_name.get(&(language, name)).map_or(&[], |found| found.as_slice())
    }

    /// The extension blocks, their targets evaluated once for the whole repository.
    pub fn extensions(&self) -> &Extensions {
        &self.extensions
    }

    /// What blocks implement for foreign types; made when first asked for, because only then their code is needed.
    pub fn abroad(&self) -> &Abroad {
        self.extensions.abroad.get_or_init(|| {
            let mut abroad = Abroad::default();
            for block in &self.extensions.others {
                let implements = self.extension(*block).implements;
                let Some(name) = implements.and_then(|expr| self.last_name(block.0, expr)) else { continue };
                match self.extensions.targets.get(block) {
                    Some(Value::ForeignInstance { name: target, .. }) => {
                        let last = target.rsplit('.').next().unwrap_or(target);
                        abroad.named.insert((name_key(last), name));
                    }
                    Some(Value::Parameter(parameter)) => abroad.blanket.entry(name).or_default().push(*parameter),
                    _ => {}
                }
            }
            abroad
        })
    }

    /// The last name of a path, without evaluating anything.
    fn last_name(&self, file: u32, expr: ExprId) -> Option<NameKey> {
        match &self.code(file).expressions[expr.0 as usize] {
            Expr::Name(name) | Expr::Member { name, .. } => Some(self.outline(file).names.key(*name)),
            Expr::Apply { base, .. } => self.last_name(file, *base),
            _ => None,
        }
    }

    /// The target of a block. A plain type of the same module, the usual case, needs no code to be loaded.
    fn target(&self, eval: &mut Evaluator<'_>, block: ExtensionRef) -> Value {
        let extension = self.extension(block);
        let outline = self.outline(block.0);
        let module = self.modules.of_scope(block.0, ScopeId(0));
        if extension.type_parameters.is_empty()
            && self.rules(block.0).extends_own_module_only()
            && let Some(module) = module
        {
            let key = outline.names.key(extension.target_name);
            for &(file, place) in self.modules.bindings(module, key) {
                if let BindingKind::Definition(definition) = self.outline(file).bindings[place as usize].kind {
                    let symbol = SymbolRef { file, definition: definition.0 };
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
        let mut order: Vec<u32> = (0..self.files.len() as u32).collect();
        order.sort_by_key(|file| self.outline(*file).is_left_out);
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
        extensions
    }
}
