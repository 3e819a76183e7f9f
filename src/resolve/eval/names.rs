//! What a plain name denotes where it is used: scopes from the inside out, then the module, then the language.

use super::Evaluator;
use crate::facts::{Atom, Binding, BindingKind, ImportName, NameKey, ScopeId, ScopeKind, name_key};
use crate::model::SymbolKind;
use crate::resolve::modules::ModuleId;
use crate::resolve::rules::Place;
use crate::resolve::value::{ParameterRef, SymbolRef, Value};

/// The position from which a type is seen: every definition and import holds there, local values and parameters only
/// when nothing else has the name (`func f(client client)`).
pub const AS_TYPE: u32 = u32::MAX;

/// The position from which every value of a scope is seen.
pub const AT_END: u32 = u32::MAX - 1;

/// Longest chain of modules that give each other's names on.
const MOST_SEARCHES: usize = 32;

/// A binding that a name was found to mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    pub file: u32,
    pub binding: Binding,
}

impl<'w> Evaluator<'w> {
    /// What `name` is bound to, seen from byte `at` of `place` (or [`AS_TYPE`]); best first. Empty when no scope knows
    /// it. Values bound only further on count when nothing else does: a function may run after what follows it.
    pub fn lookup(&mut self, place: Place, name: Atom, at: u32) -> Vec<Found> {
        let outline = self.world.outline(place.file);
        let as_found = |binding| Found { file: place.file, binding };
        let mut last_resort: Vec<Binding> = Vec::new();
        let mut scope = Some(place.scope);
        while let Some(id) = scope {
            let Some(data) = self.world.code(place.file).scopes.get(id.0 as usize).copied() else { break };
            let module_level = matches!(data.kind, ScopeKind::Module | ScopeKind::Exports);
            let table = if module_level { &outline.bindings } else { &self.world.code(place.file).bindings };
            let own = bindings_of(table, id, name);
            let sees_all = data.kind != ScopeKind::Type || id == place.scope;
            let (mut found, mut others) = preferred(own, at, sees_all);
            if at == AS_TYPE && data.kind == ScopeKind::Type {
                // `date: date` in a class's body: the annotation is not the attribute.
                let is_field = |binding: &Binding| match binding.kind {
                    BindingKind::Definition(definition) => {
                        outline.definitions[definition.0 as usize].kind == SymbolKind::Field
                    }
                    _ => false,
                };
                others.extend(found.extract_if(.., |binding| is_field(binding)));
            }
            if !found.is_empty() {
                found.extend(others);
                return found.into_iter().map(as_found).collect();
            }
            if last_resort.is_empty() {
                last_resort = others;
            }
            if module_level && let Some(found) = self.lookup_beside(place.file, id, name) {
                return vec![found];
            }
            if let Some(found) = self.lookup_globs(place.file, id, outline.names.key(name)) {
                return vec![found];
            }
            // Paths stop at the module they stand in; only inner blocks look outwards.
            if data.kind == ScopeKind::Module && self.rules(place.file).modules_are_closed() {
                break;
            }
            scope = data.parent;
        }
        last_resort.into_iter().map(as_found).collect()
    }

    /// What a name means that no scope binds: something of the file's own, then of the language.
    pub fn unbound(&mut self, place: Place, name: Atom) -> Option<Value> {
        let rules = self.rules(place.file);
        let text = self.world.outline(place.file).names.get(name);
        rules.free_name(self, place, text).or_else(|| rules.universe(text))
    }

    /// Definitions of the same module in its other files (a Go package).
    fn lookup_beside(&mut self, file: u32, scope: ScopeId, name: Atom) -> Option<Found> {
        let module = self.world.modules.of_scope(file, scope)?;
        if self.world.modules.get(module).parts.len() < 2 {
            return None;
        }
        let key = self.world.outline(file).names.key(name);
        let bound = self.world.modules.bindings(module, key).iter().find_map(|&(other, place)| {
            let binding = self.world.outline(other).bindings[place as usize];
            matches!(binding.kind, BindingKind::Definition(_)).then_some(Found { file: other, binding })
        })?;
        self.note(bound);
        Some(bound)
    }

    fn lookup_globs(&mut self, file: u32, scope: ScopeId, key: NameKey) -> Option<Found> {
        let world = self.world;
        self.first_taken(file, world.taken_whole(file, scope), key)
    }

    /// A name among all those that an import of everything takes: a module's, or an enum's members (`use Enum::*`).
    fn taken_whole(&mut self, file: u32, import: u32, key: NameKey) -> Option<Found> {
        match self.import_target(file, import) {
            Value::Module(module) => self.module_binding(module, key),
            Value::Symbol { symbol, .. } => {
                let member = *self.world.own_members(symbol, key).first()?;
                Some(self.as_found(member))
            }
            _ => None,
        }
    }

    fn as_found(&mut self, symbol: SymbolRef) -> Found {
        let definition = self.world.definition(symbol);
        let kind = BindingKind::Definition(crate::facts::DefId(symbol.definition));
        let binding = Binding { scope: ScopeId(0), name: definition.name, position: 0, kind };
        let found = Found { file: symbol.file, binding };
        self.note(found);
        found
    }

    /// A name of a module as others see it: its own bindings, then what it takes over whole from other modules. Modules
    /// may take each other over, on many ways, so each is searched once for a name.
    pub fn module_binding(&mut self, module: ModuleId, key: NameKey) -> Option<Found> {
        if let Some(known) = self.searched.get(&(module, key)) {
            return *known;
        }
        if self.searches > MOST_SEARCHES {
            self.answers.cut_short();
            return None;
        }
        let was_settled = self.answers.is_settled();
        self.searched.insert((module, key), None);
        self.searches += 1;
        let found = self.own_binding(module, key).or_else(|| self.reexported(module, key));
        self.searches -= 1;
        self.searched.insert((module, key), found);
        // A name that was not found may be so for having come back to a module that was being searched, or to an import
        // that was being followed.
        let is_sure = found.is_some() || (self.searches == 0 && was_settled && self.answers.is_settled());
        if !is_sure {
            self.missed.push((module, key));
        }
        if self.searches == 0 {
            for missed in self.missed.drain(..) {
                self.searched.remove(&missed);
            }
        }
        found
    }

    fn own_binding(&mut self, module: ModuleId, key: NameKey) -> Option<Found> {
        let world = self.world;
        let found_at =
            |&(file, place): &(u32, u32)| Found { file, binding: world.outline(file).bindings[place as usize] };
        let is_private = |found: &Found| {
            let imports = &world.outline(found.file).imports;
            world.rules(found.file).imports_are_private()
                && matches!(found.binding.kind, BindingKind::Import(import) if !imports[import.0 as usize].reexport)
                && world.modules.of_scope(found.file, found.binding.scope).is_some()
        };
        // A module that shares its name with something else is found through `children` where it is meant.
        let is_module = |found: &Found| {
            let outline = world.outline(found.file);
            match found.binding.kind {
                BindingKind::Import(import) => outline.imports[import.0 as usize].name == ImportName::Module,
                BindingKind::Definition(definition) => {
                    outline.definitions[definition.0 as usize].kind == SymbolKind::Package
                }
                _ => false,
            }
        };
        let bound = world.modules.bindings(module, key);
        let mut shown = bound.iter().map(found_at).filter(|found| !is_private(found));
        let first = shown.clone().find(|found| !is_module(found)).or_else(|| shown.next());
        // Where definitions replace what had their name before, the last one is what importers get.
        let is_replacing = |found: &Found| {
            let BindingKind::Definition(definition) = found.binding.kind else { return false };
            let kind = world.outline(found.file).definitions[definition.0 as usize].kind;
            (kind.is_callable() || kind.is_type()) && world.rules(found.file).later_definitions_replace()
        };
        let last = bound.iter().rev().map(found_at).find(is_replacing);
        let found = last.or(first)?;
        self.note(found);
        Some(found)
    }

    fn reexported(&mut self, module: ModuleId, key: NameKey) -> Option<Found> {
        let world = self.world;
        for &(file, scope) in &world.modules.get(module).parts {
            let imports = world.given_on_whole(file, scope);
            if !imports.is_empty() {
                self.visit(file);
            }
            if let Some(found) = self.first_taken(file, imports, key) {
                return Some(found);
            }
        }
        None
    }

    /// The name from the first import of everything that has it, or from the last where later names replace earlier ones.
    fn first_taken(&mut self, file: u32, imports: &[u32], key: NameKey) -> Option<Found> {
        if self.rules(file).later_definitions_replace() {
            return imports.iter().rev().find_map(|number| self.taken_whole(file, *number, key));
        }
        imports.iter().find_map(|number| self.taken_whole(file, *number, key))
    }

    fn note(&mut self, found: Found) {
        self.visit(found.file);
        if let BindingKind::Definition(definition) = found.binding.kind {
            self.consult(SymbolRef { file: found.file, definition: definition.0 });
        }
    }

    /// What a name of a module denotes: a binding, or a module inside it.
    pub fn module_member(&mut self, module: ModuleId, name: &str) -> Value {
        let key = name_key(name);
        if let Some(found) = self.module_binding(module, key) {
            let value = self.denoted(found);
            if !value.is_unknown() {
                return value;
            }
        }
        self.world.modules.get(module).children.get(&key).map_or(Value::Unknown, |&child| Value::Module(child))
    }

    /// What a binding denotes: the thing itself where it names one (a definition, an import), else its value.
    pub fn denoted(&mut self, found: Found) -> Value {
        let Found { file, binding } = found;
        let place = Place { file, scope: binding.scope };
        match binding.kind {
            BindingKind::Definition(definition) => self.denoted_symbol(SymbolRef { file, definition: definition.0 }),
            BindingKind::Import(import) => self.import_target(file, import.0),
            BindingKind::Alias(expr) => {
                self.visit(file);
                // Aliases may name each other in a circle.
                self.follow(|eval| eval.denote(place, expr, binding.position))
            }
            BindingKind::Local { value_type, value } | BindingKind::Parameter { value_type, value } => {
                self.visit(file);
                let declared = value_type.map_or(Value::Unknown, |expr| self.type_of(place, expr));
                match value {
                    Some(value) if declared.is_unknown() => self.value_at(place, value, binding.position),
                    _ => declared,
                }
            }
            BindingKind::TypeParameter(definition, index) => {
                Value::Parameter(ParameterRef { file, owner: definition.0, extension: false, index })
            }
            BindingKind::ExtensionParameter(extension, index) => {
                Value::Parameter(ParameterRef { file, owner: extension.0, extension: true, index })
            }
        }
    }
}

/// The bindings of `name` in `scope`; the table is sorted by scope, name and position.
pub(super) fn bindings_of(table: &[Binding], scope: ScopeId, name: Atom) -> &[Binding] {
    let start = table.partition_point(|binding| (binding.scope, binding.name) < (scope, name));
    let length = table[start..].partition_point(|binding| (binding.scope, binding.name) == (scope, name));
    &table[start..start + length]
}

/// The bindings that a use at byte `at` may mean, the last one first, and those that do not hold there: values bound
/// further on, and for a type any value at all.
fn preferred(bindings: &[Binding], at: u32, sees_all: bool) -> (Vec<Binding>, Vec<Binding>) {
    let is_parameter = |binding: &Binding| {
        matches!(binding.kind, BindingKind::TypeParameter(..) | BindingKind::ExtensionParameter(..))
    };
    let holds = |binding: &Binding| match binding.kind {
        BindingKind::Local { .. } => at != AS_TYPE && binding.position < at,
        BindingKind::Parameter { .. } => at != AS_TYPE,
        BindingKind::Alias(_) => binding.position < at,
        _ => true,
    };
    let visible = bindings.iter().filter(|binding| sees_all || is_parameter(binding)).copied();
    let (mut found, others): (Vec<Binding>, Vec<Binding>) = visible.partition(holds);
    found.reverse();
    // Of several definitions of one name the last one before the use is meant.
    found.sort_by_key(|binding| matches!(binding.kind, BindingKind::Definition(_)) && binding.position > at);
    (found, others)
}
