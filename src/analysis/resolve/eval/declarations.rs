//! Definitions of what is declared elsewhere, without a body (C and C++).

use super::Evaluator;
use crate::facts::{BindingKind, Container, NameKey, ScopeId};
use crate::resolve::input::FileIndex;
use crate::resolve::rules::UseSite;
use crate::resolve::value::SymbolRef;
use crate::text::common_folders;

impl Evaluator<'_> {
    /// Returns the definition of a method that its type declares without a body, if it is in the repository.
    pub fn definition_of_method(&mut self, declaration: SymbolRef) -> Option<SymbolRef> {
        let declared = self.world.definition(declaration);
        let Container::Definition(definition) = declared.container else { return None };
        let owner = SymbolRef { file: declaration.file, definition };
        let key = self.world.outline(declaration.file).names.key(declared.name);
        let mut overloads = self.world.own_members(owner, key).to_vec();
        overloads.retain(|symbol| self.world.definition(*symbol).flags.is_abstract);
        self.definition_of(declaration, &overloads)
    }

    /// Returns the definition of what a symbol declares without a body, if it is in the repository. `overloads` are the
    /// declarations of its name beside it, itself included; the parameters tell which one a definition has.
    pub fn definition_of(&mut self, declaration: SymbolRef, overloads: &[SymbolRef]) -> Option<SymbolRef> {
        let world = self.world;
        let declared = world.definition(declaration);
        if !declared.flags.is_abstract || !self.rules(declaration.file).traits().defines_apart {
            return None;
        }
        let key = world.outline(declaration.file).names.key(declared.name);
        self.record_lookup(key);
        let definitions = self.definitions_named(declaration, key);
        self.count(definitions.len() + overloads.len());
        let count = |symbol: &SymbolRef| world.definition(*symbol).parameters.len();
        let is_like = |symbol: &&SymbolRef| count(symbol) == declared.parameters.len();
        let mut fitting: Vec<SymbolRef> = definitions.iter().filter(is_like).copied().collect();
        // The only declaration has the only definition, whatever macros make of its parameters.
        if fitting.is_empty() && overloads.len() < 2 {
            fitting = definitions;
        }
        if fitting.len() > 1 {
            let same: Vec<usize> = fitting.iter().map(|symbol| self.equal_parameters(declaration, *symbol)).collect();
            let best = same.iter().copied().max()?;
            fitting = fitting.iter().zip(same).filter(|(_, same)| *same == best).map(|(symbol, _)| *symbol).collect();
        }
        let path = |symbol: &SymbolRef| world.files[symbol.file.index()].path;
        let nearness = |symbol: &SymbolRef| common_folders(path(symbol), path(&declaration));
        if let Some(nearest) = fitting.iter().map(nearness).max() {
            fitting.retain(|symbol| nearness(symbol) == nearest);
        }
        // Definitions have the order of their declarations, of which one can be `const`.
        let number = overloads.iter().filter(is_like).position(|symbol| *symbol == declaration).unwrap_or(0);
        fitting.get(number).or(fitting.last()).copied()
    }

    /// Returns the definitions with bodies of a declaration's name: in extensions of its type, or in its module.
    fn definitions_named(&mut self, declaration: SymbolRef, key: NameKey) -> Vec<SymbolRef> {
        let world = self.world;
        let declared = world.definition(declaration);
        let is_meant = |symbol: &SymbolRef| {
            let definition = world.definition(*symbol);
            !definition.flags.is_abstract && definition.kind == declared.kind
        };
        match declared.container {
            Container::Definition(owner) => {
                let owner = SymbolRef { file: declaration.file, definition: owner };
                let blocks = world.extensions_with(owner, key).iter();
                blocks.flat_map(|block| world.extension_members(*block, key)).copied().filter(is_meant).collect()
            }
            Container::Module => {
                let Some(module) = world.modules.for_scope(declaration.file, ScopeId(0)) else { return Vec::new() };
                let scope_of = |symbol: SymbolRef| {
                    let names = &world.outline(symbol.file).names;
                    world.definition(symbol).scope_names.iter().map(move |name| names.get(*name))
                };
                let bound = world.modules.bindings(module, key).iter();
                let bound =
                    bound.filter_map(|&(file, index)| match world.outline(file).bindings[index as usize].kind {
                        BindingKind::Definition(definition) => Some(SymbolRef { file, definition }),
                        _ => None,
                    });
                bound.filter(is_meant).filter(|symbol| scope_of(*symbol).eq(scope_of(declaration))).collect()
            }
            Container::Extension(_) => Vec::new(),
        }
    }

    /// Returns the declarations that a function defines for one platform: those with its full name, in its package, that
    /// leave the definition to each platform.
    pub fn expected_by(&mut self, symbol: SymbolRef) -> Vec<SymbolRef> {
        let Some((expected, actual)) = self.rules(symbol.file).traits().expectation else { return Vec::new() };
        let world = self.world;
        let definition = world.definition(symbol);
        let has_word = |symbol: SymbolRef, word: &str| {
            let signature = &world.definition(symbol).signature;
            signature.split_whitespace().any(|part| part == word)
        };
        if !definition.kind.is_callable() || !has_word(symbol, actual) {
            return Vec::new();
        }
        let key = world.outline(symbol.file).names.key(definition.name);
        self.record_lookup(key);
        let named = world.named(world.files[symbol.file.index()].language, key);
        self.count(named.len());
        let module = |file: FileIndex| world.modules.for_scope(file, ScopeId(0));
        let scope_names = |symbol: SymbolRef| {
            let names = &world.outline(symbol.file).names;
            let own = world.definition(symbol).scope_names.iter();
            own.map(|name| names.get(*name)).collect::<Vec<_>>()
        };
        let is_expected = |other: SymbolRef| match world.definition(other).container {
            Container::Definition(owner) => has_word(SymbolRef { file: other.file, definition: owner }, expected),
            _ => has_word(other, expected),
        };
        let like = named.iter().copied().filter(|other| {
            other.file != symbol.file
                && module(other.file) == module(symbol.file)
                && is_expected(*other)
                && scope_names(*other) == scope_names(symbol)
                && world.definition(*other).parameters.len() == definition.parameters.len()
        });
        like.collect()
    }

    /// Returns the number of parameters whose types are equal.
    pub(super) fn equal_parameters(&mut self, one: SymbolRef, other: SymbolRef) -> usize {
        let (first, second) = (self.world.definition(one), self.world.definition(other));
        if first.parameters.len() != second.parameters.len() {
            return 0;
        }
        let mut equal = 0;
        for (left, right) in first.parameters.iter().zip(&second.parameters) {
            let (Some(left), Some(right)) = (left.value_type, right.value_type) else { continue };
            let left = self.type_of(UseSite { file: one.file, scope: first.scope }, left);
            let right = self.type_of(UseSite { file: other.file, scope: second.scope }, right);
            equal += usize::from(left == right);
        }
        equal
    }
}
