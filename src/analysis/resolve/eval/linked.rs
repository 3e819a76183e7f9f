//! The choice among the definitions of a name in files that are linked or that others include (C and C++).

use std::cmp::Reverse;

use super::Evaluator;
use super::names::ResolvedBinding;
use crate::facts::{Atom, Binding, BindingKind, Definition, Expr, ExprId, NameKey, ScopeId, name_key};
use crate::model::SymbolKind;
use crate::resolve::input::FileIndex;
use crate::resolve::modules::ModuleId;
use crate::resolve::rules::UseSite;
use crate::resolve::value::SymbolRef;
use crate::text::{common_folders, file_name, parent_dir};

/// The precedence of a definition by what a file includes, least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Precedence {
    /// A macro that renames what has its name to a name that nothing has.
    Unused,
    /// A macro of a file that is not included.
    Unreached,
    /// A definition that only a linker finds.
    Linked,
    /// A definition in a file that is included.
    Included,
}

/// The nearness of the namespaces of a definition to those that a path names, least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Nearness {
    /// It is in another namespace.
    Other,
    /// It is in none, or in one that is around the path's.
    Outside,
    /// It is in a namespace inside of the path's, such as an inline one.
    Inside,
    Same,
}

impl Nearness {
    /// Returns how near the namespaces `own` are to a path, which names at least one.
    fn of(own: &[&str], path: &[&str]) -> Nearness {
        if own.ends_with(path) {
            Nearness::Same
        } else if own.windows(path.len()).any(|part| part == path) {
            Nearness::Inside
        } else if path.ends_with(own) {
            Nearness::Outside
        } else {
            Nearness::Other
        }
    }
}

/// Limit of the definitions of a name among which those for other platforms are looked for.
const MAX_PLATFORMS: usize = 64;

impl<'w> Evaluator<'w> {
    /// Returns the definition that a name means at a site with these namespaces around, among those that all files of its module have: the one in the
    /// nearest namespace; of several, what the site's file includes, then what is declared there, then what is in the
    /// nearest folder.
    pub(super) fn linked_definition(
        &mut self,
        (site, around): (UseSite, &[&str]),
        (module, key): (ModuleId, NameKey),
        found: &[ResolvedBinding],
    ) -> Option<ResolvedBinding> {
        if let [only] = found
            && self.renamed(*only).is_none()
            && !self.is_of_system(site, *only)
        {
            return Some(*only);
        }
        let mut best = Vec::new();
        let mut best_rank = None;
        for resolved in found {
            let Some(precedence) = self.precedence(site, module, *resolved) else { continue };
            let is_included = self.rules(site.file).is_included(self.world.files[resolved.file.index()].path);
            let rank = Some((self.shared_names(around, resolved), precedence, is_included));
            if rank > best_rank {
                best.clear();
                best_rank = rank;
            }
            if rank == best_rank {
                best.push(*resolved);
            }
        }
        let first = *best.first()?;
        if best.iter().all(|other| other.file == first.file) {
            return Some(first);
        }
        self.declared_nearby(site, (module, key), &best).or_else(|| self.nearest(site.file, &best))
    }

    /// Returns the definition that `a::b::name` means, if files have several of the name: one in a namespace whose path ends
    /// with `a::b`, rather than one around which there are fewer names; a macro can open a namespace unseen.
    pub(super) fn in_namespace(
        &mut self,
        site: UseSite,
        (path, name): (ExprId, Atom),
        module: ModuleId,
        at: u32,
    ) -> Option<ResolvedBinding> {
        let world = self.world;
        let text = world.outline(site.file).names.get(name);
        // Prototypes and types have names of their own.
        let others = self.rules(site.file).other_names(text);
        let keys: Vec<NameKey> =
            std::iter::once(name_key(text)).chain(others.iter().rev().map(|name| name_key(name))).collect();
        keys.iter().for_each(|key| self.record_lookup(*key));
        if keys.iter().map(|key| world.modules.bindings(module, *key).len()).sum::<usize>() < 2 {
            return None;
        }
        let path = self.path_names(site, path, at)?;
        let around = self.names_around(site);
        let known = name_key(&format!("{}|{}::{text}", around.join("::"), path.join("::")));
        if let Some(bound) = self.linked.get(&(site.file, module, known)) {
            return *bound;
        }
        let (bound, is_kept) = self.keepable(|evaluator| {
            let mut meant = None;
            for key in keys {
                let (rank, found) = evaluator.nearest_to_path(&path, &around, module, key);
                // What is in the namespace precedes what has the name elsewhere.
                if rank.is_some_and(|(nearness, _)| nearness >= Nearness::Inside) {
                    meant = Some((key, found));
                    break;
                }
                meant = meant.or(Some((key, found)));
            }
            let (key, found) = meant?;
            evaluator.linked_definition((site, &[]), (module, key), &found)
        });
        if is_kept {
            self.linked.insert((site.file, module, known), bound);
        }
        if let Some(ResolvedBinding { file, binding: Binding { kind: BindingKind::Definition(definition), .. } }) =
            bound
        {
            self.consult(SymbolRef { file, definition });
        }
        bound
    }

    /// Returns the definition that a site sees by one of several names: one in a namespace around it precedes those elsewhere.
    pub fn nearest_of_names(&mut self, site: UseSite, module: ModuleId, names: &[String]) -> Option<ResolvedBinding> {
        let around = self.names_around(site);
        let mut first = None;
        for name in names {
            let Some(found) = self.nearest_definition(site, module, name_key(name)) else { continue };
            if self.shared_names(&around, &found) > 0 {
                return Some(found);
            }
            first = first.or(Some(found));
        }
        first
    }

    /// Returns the type or the prototype that a site sees by the name of a function, if that is in a namespace which is not around
    /// it, and in a file that it does not include.
    pub(super) fn seen_instead(
        &mut self,
        (site, around): (UseSite, &[&str]),
        module: ModuleId,
        bound: ResolvedBinding,
    ) -> Option<ResolvedBinding> {
        if !self.is_in_namespace(bound)
            || self.shared_names(around, &bound) > 0
            || self.rules(site.file).reaches(self, site.file, bound.file)
        {
            return None;
        }
        let name = self.world.outline(bound.file).names.get(bound.binding.name);
        let names = self.rules(site.file).other_names(name);
        let mut reached = Vec::new();
        for name in &names {
            let Some(found) = self.nearest_definition(site, module, name_key(name)) else { continue };
            let is_reached = self.rules(site.file).reaches(self, site.file, found.file);
            // Its own prototype is seen.
            if is_reached && self.namespaces(found) == self.namespaces(bound) {
                return None;
            }
            if self.shared_names(around, &found) > 0 {
                return Some(found);
            }
            reached.extend(Some(found).filter(|_| is_reached));
        }
        match reached[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Returns the namespaces and types that a definition is in.
    fn namespaces(&self, bound: ResolvedBinding) -> Vec<&'w str> {
        let names = &self.world.outline(bound.file).names;
        let own = self.definition_bound(bound).map(|one| &one.scope_names);
        own.into_iter().flatten().map(|name| names.get(*name)).collect()
    }

    /// Returns whether a binding is that of a function in a namespace.
    pub(super) fn is_in_namespace(&self, bound: ResolvedBinding) -> bool {
        self.definition_bound(bound).is_some_and(|one| one.kind == SymbolKind::Function && !one.scope_names.is_empty())
    }

    /// Returns the definitions of a name that are nearest to a path of namespaces, and how near they are.
    fn nearest_to_path(
        &mut self,
        path: &[&str],
        around: &[&str],
        module: ModuleId,
        key: NameKey,
    ) -> (Option<(Nearness, usize)>, Vec<ResolvedBinding>) {
        let world = self.world;
        self.record_lookup(key);
        let bindings = world.modules.bindings(module, key);
        self.count(bindings.len());
        let (mut best, mut found) = (None, Vec::new());
        for &(file, index) in bindings {
            let resolved = ResolvedBinding { file, binding: world.outline(file).bindings[index as usize] };
            let Some(definition) = self.definition_bound(resolved) else { continue };
            let names = &world.outline(file).names;
            let own: Vec<&str> = definition.scope_names.iter().map(|name| names.get(*name)).collect();
            let nearness = Nearness::of(&own, path);
            let shared = own.iter().zip(around).take_while(|(one, other)| one == other).count();
            let rank = Some((nearness, shared));
            if rank > best {
                (best, found) = (rank, Vec::new());
            }
            if rank == best {
                found.push(resolved);
            }
        }
        (best, found)
    }

    /// Returns the names of a path of namespaces, with what an alias stands for.
    fn path_names(&mut self, site: UseSite, path: ExprId, at: u32) -> Option<Vec<&'w str>> {
        let outline = self.world.outline(site.file);
        match self.expr(site.file, path) {
            Expr::Name(name) => {
                let bound = self.lookup(site, *name, at).next();
                let import = bound.and_then(|bound| match bound.binding.kind {
                    BindingKind::Import(import) => {
                        let outline = self.world.outline(bound.file);
                        outline.imports[import.0 as usize].path.last().map(|last| outline.names.get(*last))
                    }
                    _ => None,
                });
                Some(vec![import.unwrap_or_else(|| outline.names.get(*name))])
            }
            Expr::Member { base, name } => {
                let mut names = self.path_names(site, *base, at)?;
                names.push(outline.names.get(*name));
                Some(names)
            }
            _ => None,
        }
    }

    /// Returns the definitions that replace a function or macro in other configurations: one of the same name in another
    /// branch of a condition, the function that such a branch declares where this one has a macro, or the function of a
    /// neighboring file for another platform.
    pub fn alternatives(&mut self, site: UseSite, symbol: SymbolRef) -> Vec<SymbolRef> {
        let world = self.world;
        let definition = world.definition(symbol);
        let (is_macro, traits) = (definition.kind == SymbolKind::Macro, self.rules(symbol.file).traits());
        if !(is_macro || definition.kind == SymbolKind::Function)
            || definition.flags.is_abstract
            || !(traits.defines_apart || traits.packages_are_folders)
        {
            return Vec::new();
        }
        let key = world.outline(symbol.file).names.key(definition.name);
        self.record_lookup(key);
        let named = world.named(world.files[symbol.file.index()].language, key);
        if named.len() < 2 {
            return Vec::new();
        }
        let folder = |file: FileIndex| parent_dir(world.files[file.index()].path);
        let module = |file: FileIndex| world.modules.for_scope(file, ScopeId(0));
        // Of a name that very many files define, none is for a platform.
        let is_linked = !is_macro
            && named.len() <= MAX_PLATFORMS
            && symbol.file != site.file
            && !self.rules(site.file).reaches(self, site.file, symbol.file);
        let own = named.partition_point(|one| one.file < symbol.file);
        let own = own..named.partition_point(|one| one.file <= symbol.file);
        let named = if is_linked { named } else { &named[own] };
        // Generated code can define a name any number of times.
        if named.len() > MAX_PLATFORMS {
            return Vec::new();
        }
        self.count(named.len());
        let mut found = Vec::new();
        for &one in named.iter().filter(|one| **one != symbol) {
            let other = world.definition(one);
            if one.file != symbol.file {
                let is_beside = is_linked
                    && (folder(one.file) == folder(symbol.file) || self.is_twin(site.file, one.file, symbol.file))
                    && (traits.defines_apart || module(one.file) == module(symbol.file))
                    && other.kind == SymbolKind::Function
                    && !other.flags.is_abstract
                    && other.scope_names.is_empty()
                    && other.signature == definition.signature
                    && !other.signature.starts_with("static ");
                found.extend(is_beside.then_some(one));
                continue;
            }
            let is_function = other.kind == SymbolKind::Function && other.scope_names == definition.scope_names;
            let mut is_like = || self.equal_parameters(one, symbol) == definition.parameters.len();
            if is_function && other.flags.is_abstract {
                // What such a branch declares can be defined in another file.
                let is_shared = is_macro || !other.signature.starts_with("static ") && is_like();
                let defined = if is_shared { self.definition_of(one, &[one]) } else { None };
                found.extend(defined.filter(|defined| is_macro || defined.file != symbol.file));
            } else if other.kind == SymbolKind::Macro
                || is_function && !other.flags.is_abstract && (is_macro || other.signature == definition.signature)
            {
                found.push(one);
            }
        }
        found
    }

    /// Returns whether two files have one name in folders beside each other, as those for platforms have, and neither is nearer to
    /// a file.
    fn is_twin(&self, from: FileIndex, one: FileIndex, other: FileIndex) -> bool {
        let path = |file: FileIndex| self.world.files[file.index()].path;
        let (one, other) = (path(one), path(other));
        let outer = |path: &'w str| parent_dir(parent_dir(path));
        self.world.rules(from).traits().defines_apart
            && file_name(one) == file_name(other)
            && outer(one) == outer(other)
            && common_folders(path(from), one) == common_folders(path(from), other)
    }

    /// Returns what a macro renames its own name to, if it does nothing else.
    fn renamed(&self, resolved: ResolvedBinding) -> Option<NameKey> {
        let definition = self.definition_bound(resolved).filter(|one| one.kind == SymbolKind::Macro)?;
        let target = definition.value_type.filter(|_| definition.flags.is_alias)?;
        let name = self.world.last_name(resolved.file, target)?;
        Some(self.world.outline(resolved.file).names.key(name))
    }

    fn definition_bound(&self, resolved: ResolvedBinding) -> Option<&'w Definition> {
        match resolved.binding.kind {
            BindingKind::Definition(definition) => {
                Some(self.world.definition(SymbolRef { file: resolved.file, definition }))
            }
            _ => None,
        }
    }

    /// Returns whether a name is not that of a macro, which is not included, but one that the system's headers have.
    fn is_of_system(&mut self, site: UseSite, resolved: ResolvedBinding) -> bool {
        let Some(definition) = self.definition_bound(resolved).filter(|one| one.kind == SymbolKind::Macro) else {
            return false;
        };
        let name = self.world.outline(resolved.file).names.get(definition.name);
        self.rules(site.file).resolve_builtin(name).is_some()
            && !self.rules(site.file).reaches(self, site.file, resolved.file)
    }

    /// Returns the precedence of a definition; `None` if it can't be meant: it renames its name and is not included.
    fn precedence(&mut self, site: UseSite, module: ModuleId, resolved: ResolvedBinding) -> Option<Precedence> {
        let is_macro = self.definition_bound(resolved).is_some_and(|one| one.kind == SymbolKind::Macro);
        let is_reached = self.rules(site.file).reaches(self, site.file, resolved.file);
        let Some(target) = self.renamed(resolved) else {
            if is_macro && !is_reached && self.is_of_system(site, resolved) {
                return None;
            }
            return Some(match (is_reached, is_macro) {
                (true, _) => Precedence::Included,
                (false, true) => Precedence::Unreached,
                (false, false) => Precedence::Linked,
            });
        };
        if !is_reached {
            return None;
        }
        self.record_lookup(target);
        let bound = self.world.modules.bindings(module, target);
        Some(if bound.is_empty() { Precedence::Unused } else { Precedence::Included })
    }

    /// Returns the one of several definitions that a declaration in an included file declares.
    fn declared_nearby(
        &mut self,
        site: UseSite,
        (module, key): (ModuleId, NameKey),
        found: &[ResolvedBinding],
    ) -> Option<ResolvedBinding> {
        let world = self.world;
        let first = found.first()?;
        let name = world.outline(first.file).names.get(first.binding.name);
        let declaration = self.rules(site.file).declaration_name(name);
        let declared = name_key(&declaration);
        if declared == key {
            return None;
        }
        self.record_lookup(declared);
        for &(file, index) in world.modules.bindings(module, declared) {
            let BindingKind::Definition(definition) = world.outline(file).bindings[index as usize].kind else {
                continue;
            };
            if !self.rules(site.file).reaches(self, site.file, file) {
                continue;
            }
            let declaration = SymbolRef { file, definition };
            let Some(defined) = self.definition_of(declaration, &[declaration]) else { continue };
            let is_defined = |one: &&ResolvedBinding| {
                one.file == defined.file && one.binding.kind == BindingKind::Definition(defined.definition)
            };
            if let Some(meant) = found.iter().find(is_defined) {
                return Some(*meant);
            }
        }
        None
    }

    /// Returns the first of the definitions whose files have the most folders in common with a file.
    pub(super) fn nearest(&self, from: FileIndex, found: &[ResolvedBinding]) -> Option<ResolvedBinding> {
        let path = |file: FileIndex| self.world.files[file.index()].path;
        found.iter().min_by_key(|one| Reverse(common_folders(path(from), path(one.file)))).copied()
    }

    /// Returns the names of the namespaces and types around a site.
    pub(super) fn names_around(&self, site: UseSite) -> Vec<&'w str> {
        let world = self.world;
        let scopes = &world.code(site.file).scopes;
        let mut at = scopes.get(site.scope.0 as usize);
        let mut around = None;
        while let Some(scope) = at.filter(|_| around.is_none()) {
            around = scope.definition;
            at = scope.parent.and_then(|parent| scopes.get(parent.0 as usize));
        }
        let outline = world.outline(site.file);
        let around = around.map(|around| &outline.definitions[around.index()].scope_names);
        around.into_iter().flatten().map(|name| outline.names.get(*name)).collect()
    }

    /// Returns one more than the number of namespaces and types of a definition if all are around a site, otherwise 0.
    fn shared_names(&self, around: &[&str], resolved: &ResolvedBinding) -> usize {
        let Some(definition) = self.definition_bound(*resolved) else { return 0 };
        let names = &self.world.outline(resolved.file).names;
        let own = definition.scope_names.iter().map(|name| names.get(*name));
        let is_around = own.len() <= around.len() && own.clone().zip(around).all(|(one, other)| one == *other);
        if is_around { own.len() + 1 } else { 0 }
    }
}
