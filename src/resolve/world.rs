//! The whole repository as the resolver sees it: every file's facts and the tables built from their outlines.

use std::collections::HashMap;

use std::sync::Arc;

use smallvec::SmallVec;

use super::eval::Evaluator;
use super::input::{CodeSource, FileInput, Manifest};
use super::modules::Modules;
use super::rules::Rules;
use super::value::{SymbolRef, Value};
use crate::facts::{BindingKind, Code, Container, Definition, Extension, ExtensionId, NameKey, Outline, ScopeId};
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
            extensions: Extensions::default(),
        };
        world.add_modules(manifests, rules_of);
        world.add_members();
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
