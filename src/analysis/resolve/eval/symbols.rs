//! Denotations and values of definitions.

use super::expression::parent_of;
use super::{Evaluator, Query};
use crate::facts::{Binding, BindingKind, Container, Definition, ScopeId};
use crate::model::SymbolKind;
use crate::resolve::input::FileIndex;
use crate::resolve::modules::BindingRef;
use crate::resolve::rules::UseSite;
use crate::resolve::value::{SymbolRef, Value, Values};

impl<'w> Evaluator<'w> {
    /// Returns the denotation of a definition: the symbol itself, or the module if it is an inline module.
    pub fn denoted_symbol(&mut self, symbol: SymbolRef) -> Value {
        self.consult(symbol);
        let definition = self.world.definition(symbol);
        if definition.kind == SymbolKind::Package
            && let Some(module) = self.world.modules.for_scope(symbol.file, definition.scope)
        {
            return Value::Module(module);
        }
        Value::symbol(self.world.open_types.representative(symbol))
    }

    /// Returns the type or the value that shares the symbol's name, in languages with separate type and value
    /// namespaces; otherwise the symbol itself.
    pub fn companion(&mut self, symbol: SymbolRef, as_type: bool) -> SymbolRef {
        let definition = self.world.definition(symbol);
        let is_member = definition.container != Container::Module || definition.flags.is_local;
        if definition.kind.is_type() == as_type || is_member || !self.rules(symbol.file).traits().separates_types {
            return symbol;
        }
        let world = self.world;
        let outline = world.outline(symbol.file);
        let scope = definition.parent.map_or(ScopeId(0), |parent| outline.definitions[parent.index()].scope);
        let run = super::names::bindings_of(&outline.bindings, scope, definition.name);
        let find = |file: FileIndex, binding: &Binding| match binding.kind {
            BindingKind::Definition(other) => {
                let kind = world.outline(file).definitions[other.index()].kind;
                let is_meant = kind.is_type() == as_type && kind != SymbolKind::Package;
                is_meant.then_some(SymbolRef { file, definition: other })
            }
            _ => None,
        };
        let module = world.modules.for_scope(symbol.file, scope);
        let shared = module.filter(|module| world.modules.get(*module).parts.len() > 1);
        if run.len() < 2 && shared.is_none() {
            return run.iter().find_map(|binding| find(symbol.file, binding)).unwrap_or(symbol);
        }
        let key = (symbol.file, scope, definition.name, as_type);
        if let Some(known) = self.companions.get(&key) {
            return known.unwrap_or(symbol);
        }
        self.count(run.len());
        let mut known = run.iter().find_map(|binding| find(symbol.file, binding));
        // The other can be in another part of the module.
        if let (None, Some(module)) = (known, shared) {
            let name = outline.names.key(definition.name);
            self.record_lookup(name);
            let bound = world.modules.bindings(module, name);
            self.count(bound.len());
            let find = |&(file, index): &BindingRef| find(file, &world.outline(file).bindings[index as usize]);
            known = bound.iter().find_map(find);
        }
        self.companions.insert(key, known);
        known.unwrap_or(symbol)
    }

    /// Returns the value of a definition that is read: the value of a variable or field, the result of a property, an
    /// instance of its enum for a variant, otherwise the definition itself.
    pub fn read(&mut self, symbol: SymbolRef) -> Value {
        let definition = self.world.definition(symbol);
        if definition.flags.is_variant {
            return self.variant_value(symbol, definition);
        }
        match definition.kind {
            SymbolKind::Var | SymbolKind::Const if self.world.is_object(symbol) => self.own_instance(symbol),
            SymbolKind::Var | SymbolKind::Const | SymbolKind::Field => self.assigned_value(symbol),
            SymbolKind::Function | SymbolKind::Method if definition.flags.is_property => self.result_of(symbol),
            _ => self.denoted_symbol(symbol),
        }
    }

    /// Returns the value that a variable or field is declared with.
    pub(super) fn assigned_value(&mut self, symbol: SymbolRef) -> Value {
        let definition = self.world.definition(symbol);
        self.query(Query::Read(symbol), |eval| eval.variable_value(symbol, definition))
    }

    fn variable_value(&mut self, symbol: SymbolRef, definition: &Definition) -> Value {
        self.consult(symbol);
        let site = UseSite { file: symbol.file, scope: definition.scope };
        let declared = definition.value_type.map_or(Value::Unknown, |expr| self.type_of(site, expr));
        match definition.value {
            Some(value) if declared.is_unknown() => {
                let scope = definition.value_scope.unwrap_or(definition.scope);
                let value = self.value_at(UseSite { file: symbol.file, scope }, value, definition.span.end_byte);
                let is_class_level = definition.kind == SymbolKind::Field && definition.value_scope.is_none();
                if is_class_level { self.rules(symbol.file).attribute(self, value) } else { value }
            }
            _ => declared,
        }
    }

    fn variant_value(&mut self, symbol: SymbolRef, definition: &Definition) -> Value {
        self.consult(symbol);
        match definition.container {
            Container::Definition(owner) => self.own_instance(SymbolRef { file: symbol.file, definition: owner }),
            _ => Value::symbol(symbol),
        }
    }

    /// Returns the type that a member belongs to, if it is one of the repository.
    pub fn owner(&self, member: SymbolRef) -> Option<SymbolRef> {
        let owner = match self.world.definition(member).container {
            Container::Module => return None,
            Container::Definition(definition) => SymbolRef { file: member.file, definition },
            Container::Extension(block) => match self.world.extensions().targets.get(&(member.file, block.0))? {
                Value::Instance { symbol, .. } => *symbol,
                _ => return None,
            },
        };
        Some(self.world.open_types.representative(owner))
    }

    /// Returns an instance of a type whose generic arguments are its own parameters.
    pub fn own_instance(&mut self, symbol: SymbolRef) -> Value {
        self.consult(symbol);
        let symbol = self.world.open_types.representative(symbol);
        let args: Values = self.own_parameters(symbol).map(Value::Parameter).collect();
        Value::Instance { symbol, args }
    }

    /// Returns the value of `self`: an instance of the type that encloses the site.
    pub fn receiver(&mut self, site: UseSite) -> Value {
        self.enclosing(site).0
    }

    /// Returns the value of `super`. In a class without a name, the receiver is an instance of what the class extends.
    pub fn parent(&mut self, site: UseSite) -> Value {
        match self.enclosing(site) {
            (base, true) => base,
            (receiver, false) => parent_of(&receiver),
        }
    }

    /// Returns an instance of the type that encloses a site, and whether it is the base of a class without a name there.
    fn enclosing(&mut self, site: UseSite) -> (Value, bool) {
        let scopes = &self.world.code(site.file).scopes;
        let mut at = Some(site.scope);
        while let Some(ScopeId(number)) = at {
            let Some(scope) = scopes.get(number as usize) else { break };
            if let Some(extension) = scope.extension {
                return (self.extension_target(site.file, extension), false);
            }
            if let (Some(base), Some(outer)) = (scope.extends, scope.parent) {
                let outer = UseSite { file: site.file, scope: outer };
                return (self.value_at(outer, base, super::names::AT_END), true);
            }
            if scope.kind == crate::facts::ScopeKind::Type
                && let Some(definition) = scope.definition
            {
                return (self.own_instance(SymbolRef { file: site.file, definition }), false);
            }
            at = scope.parent;
        }
        (Value::Unknown, false)
    }

    /// Returns an instance of the type that an extension block extends.
    pub fn extension_target(&mut self, file: FileIndex, extension: crate::facts::ExtensionId) -> Value {
        if self.use_extensions {
            let known = self.world.extensions().targets.get(&(file, extension.0));
            if let Some(value) = known {
                return value.clone();
            }
        }
        let block = &self.world.outline(file).extensions[extension.0 as usize];
        self.type_of(UseSite { file, scope: block.scope }, block.target)
    }
}
