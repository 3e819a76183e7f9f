//! Lookup of unqualified names: scopes from the inside out, then the module, then the language's built-ins.

use super::Evaluator;
use super::members::plain_name;
use super::overloads::MAX_EQUAL;
use super::visible::{self, Tail, View, Visible};
use crate::facts::{
    Atom, Binding, BindingKind, Container, Expr, ImportName, NameKey, Scope, ScopeId, ScopeKind, name_key,
};
use crate::model::SymbolKind;
use crate::resolve::globs::Globs;
use crate::resolve::input::FileIndex;
use crate::resolve::modules::{BindingRef, ModuleId};
use crate::resolve::rules::UseSite;
use crate::resolve::value::{ParameterRef, SymbolRef, Value};

/// Position for looking up types. Definitions and imports are visible everywhere; local values and parameters only if
/// nothing else has the name (`func f(client client)`).
pub const AS_TYPE: u32 = u32::MAX;

/// Position from which every value of a scope is visible.
pub const AT_END: u32 = u32::MAX - 1;

/// Maximum length of a chain of modules that reexport each other's names.
const MAX_SEARCH_DEPTH: usize = 32;

/// Maximum nesting of types whose members are in scope. Types that are in each other by mistake have no outermost one.
const MAX_NESTED_TYPES: usize = 8;

/// The binding that a name resolves to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResolvedBinding {
    pub file: FileIndex,
    pub binding: Binding,
}

impl ResolvedBinding {
    /// Returns whether it is a variable of a function, or a parameter, that has its value at a byte.
    pub(super) fn is_variable_at(&self, at: u32) -> bool {
        match self.binding.kind {
            BindingKind::Local { .. } => at != AS_TYPE && self.binding.position < at,
            BindingKind::Parameter { .. } => at != AS_TYPE,
            _ => false,
        }
    }
}

impl<'w> Evaluator<'w> {
    /// Returns the bindings of `name` visible from byte `at` of `site` (or [`AS_TYPE`]), best first. Empty when no
    /// scope binds it. Values bound after `at` are a last resort, because a function can run after the code that
    /// follows it.
    pub fn lookup(&mut self, site: UseSite, name: Atom, at: u32) -> Visible<'w> {
        let outline = self.world.outline(site.file);
        if site.file != self.file {
            self.record_lookup(outline.names.key(name));
        }
        let mut last_resort = Visible::none(&self.steps);
        let mut scope = Some(site.scope);
        while let Some(id) = scope {
            let Some(data) = self.world.code(site.file).scopes.get(id.0 as usize).copied() else { break };
            let module_level = matches!(data.kind, ScopeKind::Module | ScopeKind::Exports);
            let table = if module_level { &outline.bindings } else { &self.world.code(site.file).bindings };
            let own = bindings_of(table, id, name);
            let sees_all = data.kind != ScopeKind::Type || id == site.scope;
            // `date: date` in a class body: the annotation is not the attribute.
            let hides_fields = at == AS_TYPE && data.kind == ScopeKind::Type;
            // The types in a class are names of the annotations of its methods.
            let sees_types = sees_all || at == AS_TYPE;
            let tail = self.tail(site.file, own, module_level);
            let view = View { at, sees_all, sees_types, hides_fields };
            let visible = Visible::new((site.file, outline), own, tail, view, &self.steps);
            if visible.resolves() {
                return visible;
            }
            if last_resort.is_empty() {
                last_resort = visible;
            }
            if self.rules(site.file).traits().members_are_in_scope {
                for owner in self.types_of_scope(site.file, data) {
                    if let Some(member) = self.lookup_member(owner, outline.names.get(name), at) {
                        return Visible::one(member, &self.steps);
                    }
                }
            }
            if module_level && let Some(resolved) = self.lookup_sibling_files(site, id, name) {
                return Visible::one(resolved, &self.steps);
            }
            if module_level && let Some(resolved) = self.lookup_outer_modules(site.file, id, name) {
                return Visible::one(resolved, &self.steps);
            }
            if let Some(resolved) = self.lookup_globs(site.file, id, outline.names.key(name)) {
                return Visible::one(resolved, &self.steps);
            }
            if let Some(resolved) = self.lookup_static_globs(site.file, id, outline.names.get(name)) {
                return Visible::one(resolved, &self.steps);
            }
            // Names of enclosing modules are not visible in closed modules.
            if data.kind == ScopeKind::Module && self.rules(site.file).traits().modules_hide_outer_names {
                break;
            }
            scope = data.parent;
        }
        match self.lookup_project_imports(site.file, name) {
            Some(resolved) => Visible::one(resolved, &self.steps),
            None => last_resort,
        }
    }

    /// Returns the type whose body a scope is, or that it extends.
    pub(super) fn type_of_scope(&self, file: FileIndex, scope: Scope) -> Option<SymbolRef> {
        match (scope.kind, scope.definition, scope.extension) {
            (ScopeKind::Type, Some(definition), _) => Some(SymbolRef { file, definition }),
            // While the extended types are being found, no code is.
            (ScopeKind::Extension, _, Some(extension)) if self.use_extensions => {
                match self.world.extensions().targets.get(&(file, extension.0)) {
                    Some(Value::Instance { symbol, .. }) => Some(*symbol),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Returns the type whose body a scope is, or that it extends, and the types around that which the scopes do not tell.
    pub(super) fn types_of_scope(&mut self, file: FileIndex, scope: Scope) -> Vec<SymbolRef> {
        let own = match (scope.extends, scope.parent) {
            (Some(base), Some(outer)) => match self.value_at(UseSite { file, scope: outer }, base, AT_END) {
                Value::Instance { symbol, .. } => Some(symbol),
                _ => None,
            },
            _ => self.type_of_scope(file, scope),
        };
        std::iter::successors(own, |symbol| self.outer_type(*symbol)).take(MAX_NESTED_TYPES).collect()
    }

    /// Returns the type that a type is in, in languages where the body of a method can be outside of both.
    fn outer_type(&self, symbol: SymbolRef) -> Option<SymbolRef> {
        if !self.rules(symbol.file).traits().defines_apart {
            return None;
        }
        match self.world.definition(symbol).container {
            Container::Definition(definition) => Some(SymbolRef { file: symbol.file, definition }),
            Container::Extension(block) => match self.world.extensions().targets.get(&(symbol.file, block.0)) {
                Some(Value::Instance { symbol: outer, .. }) if *outer != symbol => Some(*outer),
                _ => None,
            },
            Container::Module => None,
        }
    }

    /// Looks up a member of a type as code in the type's body sees it.
    fn lookup_member(&mut self, owner: SymbolRef, name: &str, at: u32) -> Option<ResolvedBinding> {
        if !self.any_has_member(name_key(plain_name(name))) {
            return None;
        }
        let own = self.own_instance(owner);
        let member = self.members(&own, name).into_iter().next()?.symbol;
        let definition = self.world.definition(member);
        // The name of a type is the type in its own body and those of its subtypes, and not its constructor.
        let declares = self.owner(member).unwrap_or(owner);
        let is_constructor = definition.kind.is_callable() && plain_name(name) == self.world.name(declares);
        let is_meant = at != AS_TYPE || definition.kind.is_type();
        (is_meant && !is_constructor).then(|| self.binding_for_symbol(member))
    }

    /// Returns where the definitions at the end of a run of bindings begin. Computed once for a long run.
    fn tail(&mut self, file: FileIndex, run: &'w [Binding], module_level: bool) -> Tail {
        let Some(first) = run.first().filter(|_| run.len() > visible::MAX_SHORT) else { return Tail::of_short(run) };
        let (outline, steps) = (self.world.outline(file), &self.steps);
        *self.tails.entry((file, module_level, first.scope, first.name)).or_insert_with(|| {
            steps.set(steps.get() + run.len() as u64);
            Tail::new(run, outline)
        })
    }

    /// Resolves a name that no scope binds, by the rules of the file's language.
    pub fn resolve_unbound(&mut self, site: UseSite, name: Atom) -> Option<Value> {
        let rules = self.rules(site.file);
        let text = self.world.outline(site.file).names.get(name);
        rules.resolve_unbound(self, site, text).or_else(|| rules.resolve_builtin(text))
    }

    /// Looks up definitions in the other files of the same module (a Go package).
    fn lookup_sibling_files(&mut self, site: UseSite, scope: ScopeId, name: Atom) -> Option<ResolvedBinding> {
        let file = site.file;
        let module = self.world.modules.for_scope(file, scope)?;
        if self.world.modules.get(module).parts.len() < 2 {
            return None;
        }
        let key = self.world.outline(file).names.key(name);
        self.nearest_definition(site, module, key)
    }

    /// Returns the definition that a module's name means at a site: the first one, or the nearest of several; where files
    /// are linked, the one that they include or link.
    pub fn nearest_definition(&mut self, site: UseSite, module: ModuleId, key: NameKey) -> Option<ResolvedBinding> {
        let world = self.world;
        self.record_lookup(key);
        let bindings = world.modules.bindings(module, key);
        let mut bound = bindings.iter().filter_map(|&(other, index)| {
            let binding = world.outline(other).bindings[index as usize];
            matches!(binding.kind, BindingKind::Definition(_)).then_some(ResolvedBinding { file: other, binding })
        });
        let bound = if self.rules(site.file).traits().defines_apart {
            // Beyond its namespaces, the place of a use in its file does not matter.
            let first = bindings.first().map(|&(file, index)| {
                let binding = world.outline(file).bindings[index as usize];
                ResolvedBinding { file, binding }
            });
            let is_of_place = bindings.len() > 1 || first.is_some_and(|first| self.is_in_namespace(first));
            let around = if is_of_place { self.names_around(site) } else { Vec::new() };
            let known = (site.file, module, key_around(key, &around));
            if let Some(bound) = self.linked.get(&known) {
                return *bound;
            }
            self.count(bindings.len());
            let found: Vec<ResolvedBinding> = bound.collect();
            let (bound, is_kept) = self.keepable(|evaluator| {
                let bound = evaluator.linked_definition((site, &around), (module, key), &found)?;
                Some(evaluator.seen_instead((site, &around), module, bound).unwrap_or(bound))
            });
            if is_kept {
                self.linked.insert(known, bound);
            }
            bound?
        } else {
            let first = bound.next()?;
            self.nearest_twin(site.file, first)
        };
        self.record(bound);
        Some(bound)
    }

    /// Returns the definition that a file means by one of several of its full name.
    fn nearest_twin(&self, from: FileIndex, resolved: ResolvedBinding) -> ResolvedBinding {
        let world = self.world;
        let BindingKind::Definition(definition) = resolved.binding.kind else { return resolved };
        let symbol = SymbolRef { file: resolved.file, definition };
        let duplicate = world.duplicates.nearest(world.files, world.user(from), symbol);
        if duplicate == symbol {
            return resolved;
        }
        let name = world.definition(duplicate).name;
        let kind = BindingKind::Definition(duplicate.definition);
        ResolvedBinding { file: duplicate.file, binding: Binding { scope: ScopeId(0), name, position: 0, kind } }
    }

    /// Looks up a name in the modules around a scope's module, innermost first.
    fn lookup_outer_modules(&mut self, file: FileIndex, scope: ScopeId, name: Atom) -> Option<ResolvedBinding> {
        if !self.rules(file).traits().outer_modules_are_in_scope {
            return None;
        }
        let modules = &self.world.modules;
        let key = self.world.outline(file).names.key(name);
        let mut outer = modules.get(modules.for_scope(file, scope)?).parent;
        while let Some(module) = outer {
            if let Some(resolved) = self.module_binding(module, key) {
                return Some(resolved);
            }
            outer = modules.get(module).parent;
        }
        None
    }

    /// Looks up a name among those that the glob imports of a scope bring into it.
    pub fn lookup_globs(&mut self, file: FileIndex, scope: ScopeId, key: NameKey) -> Option<ResolvedBinding> {
        let imports = self.world.globs.of_scope(file, scope, false);
        self.first_glob_binding(file, imports, key)
    }

    /// Looks up a callee among the static methods of the types whose members a scope imports.
    fn lookup_static_globs(&mut self, file: FileIndex, scope: ScopeId, name: &str) -> Option<ResolvedBinding> {
        if plain_name(name) == name {
            return None;
        }
        for &number in self.world.globs.of_scope(file, scope, false).all() {
            let Value::Symbol { symbol, .. } = self.import_target(file, number) else { continue };
            if let Some(method) = self.static_member(symbol, name) {
                return Some(method);
            }
        }
        None
    }

    fn static_member(&mut self, owner: SymbolRef, name: &str) -> Option<ResolvedBinding> {
        self.count(1);
        let own = self.own_instance(owner);
        let mut found = self.members(&own, name).into_iter().map(|member| member.symbol);
        let member = found.find(|member| self.world.definition(*member).flags.is_static)?;
        Some(self.binding_for_symbol(member))
    }

    /// Looks up a name among those that all files of a project have.
    fn lookup_project_imports(&mut self, file: FileIndex, name: Atom) -> Option<ResolvedBinding> {
        let imports = self.rules(file).project_imports(self, file)?;
        let names = &self.world.outline(file).names;
        imports.iter().find_map(|import| match import {
            Value::Module(module) => self.module_binding(*module, names.key(name)),
            Value::Symbol { symbol, .. } => self.static_member(*symbol, names.get(name)),
            _ => None,
        })
    }

    /// Looks up a name in the target of a glob import: a module, or an enum (`use Enum::*`).
    fn glob_binding(&mut self, file: FileIndex, import: u32, key: NameKey) -> Option<ResolvedBinding> {
        match self.import_target(file, import) {
            Value::Module(module) => {
                let origin = std::mem::replace(&mut self.origin, file);
                let found = self.module_binding(module, key);
                self.origin = origin;
                match found {
                    // What a module imports for itself is only for the modules in it.
                    Some(resolved)
                        if self.is_own_import(module, resolved) && !self.is_within((file, import), module) =>
                    {
                        self.follow(|eval| eval.reexported(module, key))
                    }
                    Some(resolved) => Some(resolved),
                    None => self.private_binding((file, import), module, key),
                }
            }
            Value::Symbol { symbol, .. } => {
                self.record_lookup(key);
                let member = *self.world.own_members(symbol, key).first()?;
                Some(self.binding_for_symbol(member))
            }
            _ => None,
        }
    }

    /// Looks up a name that a module around an importing one imports for itself, which the modules in it see.
    fn private_binding(
        &mut self,
        (file, import): (FileIndex, u32),
        module: ModuleId,
        key: NameKey,
    ) -> Option<ResolvedBinding> {
        let world = self.world;
        if !self.rules(file).traits().modules_hide_outer_names || !self.is_within((file, import), module) {
            return None;
        }
        if let Some(&(other, index)) = world.modules.bindings(module, key).first() {
            let resolved = ResolvedBinding { file: other, binding: world.outline(other).bindings[index as usize] };
            self.record(resolved);
            return Some(resolved);
        }
        let parts = &world.modules.get(module).parts;
        self.follow(|eval| parts.iter().find_map(|(other, scope)| eval.lookup_globs(*other, *scope, key)))
    }

    /// Returns whether an import is in a module that is in another one.
    fn is_within(&self, (file, import): (FileIndex, u32), outer: ModuleId) -> bool {
        let modules = &self.world.modules;
        let scope = self.world.outline(file).imports[import as usize].scope;
        let own = self.module_at(UseSite { file, scope }).and_then(|own| modules.get(own).parent);
        std::iter::successors(own, |module| modules.get(*module).parent).any(|module| module == outer)
    }

    /// Returns whether a module imports a name without exporting it again, in a language where others do not see it then.
    fn is_own_import(&self, module: ModuleId, ResolvedBinding { file, binding }: ResolvedBinding) -> bool {
        let world = self.world;
        let is_private = |import: u32| !world.outline(file).imports[import as usize].reexport;
        matches!(binding.kind, BindingKind::Import(import) if is_private(import.0))
            && world.rules(file).traits().modules_hide_outer_names
            && world.modules.for_scope(file, binding.scope) == Some(module)
    }

    /// Returns the function that a call of a module's name means, where glob imports bring both: they have namespaces of their
    /// own (Rust).
    pub fn function_beside_module(&mut self, site: UseSite, name: Atom) -> Option<SymbolRef> {
        let world = self.world;
        if !self.rules(site.file).traits().modules_hide_outer_names {
            return None;
        }
        let key = world.outline(site.file).names.key(name);
        self.record_lookup(key);
        let mut open: Vec<ModuleId> = Vec::new();
        let scopes = &world.code(site.file).scopes;
        let mut at = Some(site.scope);
        while let Some((id, scope)) = at.and_then(|id| Some((id, scopes.get(id.0 as usize)?))) {
            self.add_glob_targets((site.file, id), &mut open);
            at = scope.parent.filter(|_| scope.kind != ScopeKind::Module);
        }
        let mut next = 0;
        while let Some(&module) = open.get(next).filter(|_| next < MAX_SEARCH_DEPTH) {
            next += 1;
            for &(file, index) in world.modules.bindings(module, key) {
                let resolved = ResolvedBinding { file, binding: world.outline(file).bindings[index as usize] };
                if let Value::Symbol { symbol, .. } = self.denoted(resolved)
                    && world.definition(symbol).kind.is_callable()
                {
                    self.record(resolved);
                    return Some(symbol);
                }
            }
            for part in &world.modules.get(module).parts {
                self.add_glob_targets(*part, &mut open);
            }
        }
        None
    }

    fn add_glob_targets(&mut self, (file, scope): (FileIndex, ScopeId), targets: &mut Vec<ModuleId>) {
        for &number in self.world.globs.of_scope(file, scope, false).all().iter().take(MAX_SEARCH_DEPTH) {
            if let Value::Module(module) = self.import_target(file, number)
                && !targets.contains(&module)
            {
                targets.push(module);
            }
        }
    }

    fn binding_for_symbol(&mut self, symbol: SymbolRef) -> ResolvedBinding {
        let definition = self.world.definition(symbol);
        let kind = BindingKind::Definition(symbol.definition);
        let binding = Binding { scope: ScopeId(0), name: definition.name, position: 0, kind };
        let resolved = ResolvedBinding { file: symbol.file, binding };
        self.record(resolved);
        resolved
    }

    /// Looks up a name of a module as importers see it: its own bindings, the nearest of duplicates to the text that asks,
    /// then its glob reexports.
    pub fn module_binding(&mut self, module: ModuleId, key: NameKey) -> Option<ResolvedBinding> {
        let resolved = self.searched_binding(module, key)?;
        Some(self.nearest_twin(self.origin, resolved))
    }

    /// Searches a module for a name. Modules can reexport each other, so each is searched once for a name.
    fn searched_binding(&mut self, module: ModuleId, key: NameKey) -> Option<ResolvedBinding> {
        if let Some(known) = self.module_names.get(&(module, key)) {
            return *known;
        }
        self.record_lookup(key);
        if self.search_depth > MAX_SEARCH_DEPTH {
            self.memo.mark_truncated();
            return None;
        }
        self.count(1);
        self.module_names.insert((module, key), None);
        self.search_depth += 1;
        let (resolved, is_kept) =
            self.keepable(|evaluator| evaluator.own_binding(module, key).or_else(|| evaluator.reexported(module, key)));
        self.search_depth -= 1;
        self.module_names.insert((module, key), resolved);
        // A miss is provisional if the search met a module that was being searched, or an import that was being
        // resolved.
        let is_sure = resolved.is_some() || (self.search_depth == 0 && is_kept);
        if !is_sure {
            self.provisional_misses.push((module, key));
        }
        if self.search_depth == 0 {
            for missed in self.provisional_misses.drain(..) {
                self.module_names.remove(&missed);
            }
        }
        resolved
    }

    fn own_binding(&mut self, module: ModuleId, key: NameKey) -> Option<ResolvedBinding> {
        let world = self.world;
        let resolved_at = |&(file, index): &BindingRef| ResolvedBinding {
            file,
            binding: world.outline(file).bindings[index as usize],
        };
        let is_private = |resolved: &ResolvedBinding| {
            let imports = &world.outline(resolved.file).imports;
            world.rules(resolved.file).traits().imports_are_private
                && matches!(resolved.binding.kind, BindingKind::Import(import) if !imports[import.0 as usize].reexport)
                && world.modules.for_scope(resolved.file, resolved.binding.scope).is_some()
        };
        // A module that shares its name with something else is found through `children`.
        let is_module = |resolved: &ResolvedBinding| {
            let outline = world.outline(resolved.file);
            match resolved.binding.kind {
                BindingKind::Import(import) => outline.imports[import.0 as usize].name == ImportName::Module,
                BindingKind::Definition(definition) => {
                    outline.definitions[definition.index()].kind == SymbolKind::Package
                }
                _ => false,
            }
        };
        let bound = world.modules.bindings(module, key);
        let mut shown = bound.iter().map(resolved_at).filter(|resolved| !is_private(resolved));
        let first = shown.clone().find(|resolved| !is_module(resolved)).or_else(|| shown.next());
        // Where later definitions replace earlier ones, importers get the last one.
        let is_replacing = |resolved: &ResolvedBinding| {
            let BindingKind::Definition(definition) = resolved.binding.kind else { return false };
            let kind = world.outline(resolved.file).definitions[definition.index()].kind;
            (kind.is_callable() || kind.is_type()) && world.rules(resolved.file).traits().later_definitions_replace
        };
        let last = bound.iter().rev().map(resolved_at).find(is_replacing);
        let resolved = last.or(first)?;
        self.record(resolved);
        Some(resolved)
    }

    fn reexported(&mut self, module: ModuleId, key: NameKey) -> Option<ResolvedBinding> {
        let world = self.world;
        for &(file, scope) in world.globs.reexporting(module) {
            let imports = world.globs.of_scope(file, scope, true);
            if let Some(resolved) = self.first_glob_binding(file, imports, key) {
                return Some(resolved);
            }
        }
        None
    }

    /// Returns the name from the first glob import that has it, or from the last where later names replace earlier
    /// ones.
    fn first_glob_binding(&mut self, file: FileIndex, imports: Globs<'_>, key: NameKey) -> Option<ResolvedBinding> {
        if imports.all().is_empty() {
            return None;
        }
        let candidates = imports.candidates(&self.world.modules, key);
        let later_first = self.rules(file).traits().later_definitions_replace;
        let mut in_order: Box<dyn Iterator<Item = &u32>> =
            if later_first { Box::new(candidates.iter().rev()) } else { Box::new(candidates.iter()) };
        in_order.find_map(|number| {
            self.count(1);
            self.glob_binding(file, *number, key)
        })
    }

    fn record(&mut self, resolved: ResolvedBinding) {
        if let BindingKind::Definition(definition) = resolved.binding.kind {
            self.consult(SymbolRef { file: resolved.file, definition });
        }
    }

    /// Returns the denotation of a module's name: a binding, or a child module.
    pub fn module_member(&mut self, module: ModuleId, name: &str) -> Value {
        let key = name_key(name);
        if let Some(resolved) = self.module_binding(module, key) {
            let value = self.denoted(resolved);
            if !value.is_unknown() {
                return value;
            }
        }
        self.world.modules.get(module).children.get(&key).map_or(Value::Unknown, |&child| Value::Module(child))
    }

    /// Returns the denotation of a binding: a definition or the target of an import, otherwise its value. Where branches
    /// define a name or import it differently (`try: from fast import f`, `except ImportError: from slow import f`), it is each
    /// of these.
    pub fn denoted(&mut self, resolved: ResolvedBinding) -> Value {
        let own = self.denoted_alone(resolved);
        let others = self.of_other_branches(resolved);
        if others.is_empty() {
            return own;
        }
        let others = others.into_iter().map(|binding| self.denoted_alone(ResolvedBinding { binding, ..resolved }));
        Value::union(std::iter::once(own).chain(others).collect::<Vec<_>>())
    }

    /// Returns the bindings of the name in other branches than that of a binding, the last first.
    fn of_other_branches(&self, ResolvedBinding { file, binding }: ResolvedBinding) -> Vec<Binding> {
        let world = self.world;
        let outline = world.outline(file);
        let imports_replace = world.rules(file).traits().later_definitions_replace;
        let is_of_branch = |binding: &Binding| match binding.kind {
            BindingKind::Import(_) => imports_replace,
            BindingKind::Definition(definition) => outline.definitions[definition.index()].flags.is_conditional,
            _ => false,
        };
        if !is_of_branch(&binding) {
            return Vec::new();
        }
        let run = match bindings_of(&outline.bindings, binding.scope, binding.name) {
            [] => bindings_of(&world.code(file).bindings, binding.scope, binding.name),
            run => run,
        };
        // So many are no branches, but code that reuses a name.
        if run.len() > MAX_EQUAL || !run.contains(&binding) {
            return Vec::new();
        }
        run.iter().rev().filter(|other| **other != binding && is_of_branch(other)).copied().collect()
    }

    fn denoted_alone(&mut self, resolved: ResolvedBinding) -> Value {
        let ResolvedBinding { file, binding } = resolved;
        let site = UseSite { file, scope: binding.scope };
        match binding.kind {
            BindingKind::Definition(definition) => self.denoted_symbol(SymbolRef { file, definition }),
            BindingKind::Import(import) => {
                let name = self.world.outline(file).names.get(binding.name);
                let method = self.imported_method(file, import.0, name);
                method.unwrap_or_else(|| self.import_target(file, import.0))
            }
            BindingKind::Alias(expr) => {
                // Aliases can form cycles. Those of a generic type keep its arguments.
                self.follow(|eval| match eval.expr(file, expr) {
                    Expr::Apply { .. } => eval.value_at(site, expr, binding.position),
                    _ => eval.denote(site, expr, binding.position),
                })
            }
            BindingKind::Local { value_type, value } | BindingKind::Parameter { value_type, value } => {
                let declared = value_type.map_or(Value::Unknown, |expr| self.type_of(site, expr));
                match value {
                    Some(value) if declared.is_unknown() => self.value_at(site, value, binding.position),
                    _ => declared,
                }
            }
            BindingKind::TypeParameter(definition, index) => {
                Value::Parameter(ParameterRef { file, owner: definition.get(), extension: false, index })
            }
            BindingKind::ExtensionParameter(extension, index) => {
                Value::Parameter(ParameterRef { file, owner: extension.0, extension: true, index })
            }
        }
    }
}

/// Returns the bindings of `name` in `scope`. The table is sorted by scope, name and position.
pub(super) fn bindings_of(table: &[Binding], scope: ScopeId, name: Atom) -> &[Binding] {
    let start = table.partition_point(|binding| (binding.scope, binding.name) < (scope, name));
    let length = table[start..].partition_point(|binding| (binding.scope, binding.name) == (scope, name));
    &table[start..start + length]
}

/// Returns the key of a name with these namespaces and types around, on which depends what it means.
fn key_around(key: NameKey, around: &[&str]) -> NameKey {
    if around.is_empty() { key } else { name_key(&format!("{}|{}", key.0, around.join("::"))) }
}
