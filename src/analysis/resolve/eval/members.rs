//! Member lookup: own members, extension blocks, supertypes, bounds of type parameters.

use std::sync::Arc;

use super::Evaluator;
use super::types::RECEIVER_TYPE;
use crate::facts::{BaseRelation, Container, NameKey, name_key};
use crate::model::SymbolKind;
use crate::resolve::rules::UseSite;
use crate::resolve::value::{Substitution, SymbolRef, Value};
use crate::resolve::world::ExtensionRef;

/// A member with the substitution of the type parameters on its path.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    pub symbol: SymbolRef,
    pub bound: Substitution,
}

impl<'w> Evaluator<'w> {
    /// Returns the members of a value or type of the repository that are called `name`: usually one, several for a
    /// union. Empty when the value is external or unknown, or has no such member.
    pub fn members(&mut self, base: &Value, name: &str) -> Vec<Member> {
        let found = self.declared_members(base, name);
        if !found.is_empty() {
            let extension = self.extension_of_callee(base, name, &found);
            return extension.map_or(found, |extension| vec![extension]);
        }
        match self.own_rules().deref_target(self, base) {
            Some(other) if other != *base => self.follow(|eval| eval.members(&other, name)),
            _ => found,
        }
    }

    /// Returns the extension method that a call means whose name is also that of a property with a plain value.
    fn extension_of_callee(&mut self, base: &Value, name: &str, found: &[Member]) -> Option<Member> {
        let is_callee = name != plain_name(name) && !matches!(base, Value::Parameter(_) | Value::Union(_));
        if !is_callee || !self.own_rules().traits().types_differ_by_arity {
            return None;
        }
        for member in found {
            let definition = self.world.definition(member.symbol);
            let site = UseSite { file: member.symbol.file, scope: definition.scope };
            let known = match definition.flags.is_property {
                true => definition.result,
                false => definition.value_type.filter(|_| definition.kind == SymbolKind::Field),
            };
            let is_value = matches!(
                known.map(|known| self.type_of(site, known)),
                Some(Value::ExternalInstance { ref args, .. }) if args.is_empty()
            );
            if !is_value {
                return None;
            }
        }
        match self.own_rules().undeclared_member(self, base, plain_name(name))? {
            Value::Symbol { symbol, bound } if self.world.definition(symbol).kind.is_callable() => {
                Some(Member { symbol, bound: bound.to_vec() })
            }
            _ => None,
        }
    }

    /// Returns the members of [`Evaluator::members`] that the type has itself, and not what it stands for.
    pub fn declared_members(&mut self, base: &Value, name: &str) -> Vec<Member> {
        let member_name = MemberName::new(name);
        match base {
            Value::Instance { symbol, .. } => {
                if self.rules(symbol.file).traits().separates_static_members {
                    return self.members_of_level(base, member_name, false);
                }
                let ancestors = self.ancestors(base);
                self.first_in_ancestors(&ancestors, member_name, base)
            }
            Value::Symbol { symbol, bound } => {
                let definition = self.world.definition(*symbol);
                if self.world.is_object(*symbol) {
                    let own = self.own_instance(*symbol);
                    let ancestors = self.ancestors(&own);
                    return self.first_in_ancestors(&ancestors, member_name, &own);
                }
                if !definition.kind.is_type() && !definition.flags.is_variant {
                    return Vec::new();
                }
                let bound = bound.clone();
                let instance = self.instantiate(&Value::Symbol { symbol: *symbol, bound }, Vec::new());
                if matches!(instance, Value::Symbol { .. }) {
                    Vec::new()
                } else if self.rules(symbol.file).traits().separates_static_members {
                    self.members_of_level(&instance, member_name, true)
                } else {
                    self.declared_members(&instance, name)
                }
            }
            Value::Parent { symbol } => {
                let own = self.own_instance(*symbol);
                let ancestors = self.ancestors(&own);
                self.first_in_ancestors(&ancestors[1.min(ancestors.len())..], member_name, &own)
            }
            Value::Parameter(parameter) => {
                let bounds = self.bounds(*parameter);
                bounds.iter().flat_map(|bound| self.declared_members(bound, name)).take(1).collect()
            }
            Value::Object(_) => entry_of(base, member_name.key).and_then(denoted_member).into_iter().collect(),
            Value::Union(parts) => {
                let mut all: Vec<Member> = Vec::new();
                for part in parts.iter() {
                    for member in self.members(part, name) {
                        if !all.iter().any(|known| known.symbol == member.symbol) {
                            all.push(member);
                        }
                    }
                }
                all
            }
            _ => Vec::new(),
        }
    }

    /// Returns the members of a type (`is_static`) or of its values. Those of the other level are meant only if a module
    /// has them, which can be included, or extends the type.
    fn members_of_level(&mut self, instance: &Value, member_name: MemberName, is_static: bool) -> Vec<Member> {
        let ancestors = self.ancestors(instance);
        let exact = MemberName { is_static: Some(is_static), ..member_name };
        let mut found = self.first_in_ancestors(&ancestors, exact, instance);
        if let (Value::Instance { symbol, .. }, false) = (instance, is_static || found.is_empty()) {
            let prepended = self.related_modules(*symbol, BaseRelation::Prepended);
            // The method of the module runs, and mostly that of the type by `super`.
            let before = self.first_in_ancestors(&prepended, exact, instance);
            found.splice(0..0, before.into_iter().filter(|one| !found.contains(one)).collect::<Vec<_>>());
        }
        if !found.is_empty() {
            return found;
        }
        let is_module = |value: &Value| match value {
            Value::Instance { symbol, .. } => self.world.definition(*symbol).kind == SymbolKind::Interface,
            _ => false,
        };
        let mut modules: Vec<Value> = Vec::new();
        for ancestor in ancestors.iter() {
            if let (Value::Instance { symbol, .. }, true) = (ancestor, is_static) {
                let extended = self.related_modules(*symbol, BaseRelation::OfType);
                for module in &extended {
                    modules.extend(self.ancestors(module).iter().cloned());
                }
            }
        }
        modules.extend(ancestors.iter().filter(|ancestor| is_module(ancestor)).cloned());
        self.first_in_ancestors(&modules, member_name, instance)
    }

    fn first_in_ancestors(&mut self, types: &[Value], member_name: MemberName, receiver: &Value) -> Vec<Member> {
        let key = member_name.key;
        self.record_lookup(key);
        for (index, instance) in types.iter().enumerate() {
            if let Some(member) = entry_of(instance, key).and_then(denoted_member) {
                return vec![member];
            }
            let Value::Instance { symbol, args } = instance else { continue };
            self.consult(*symbol);
            let own = self.world.own_members(*symbol, key);
            if let Some(member) = preferred(self, own, member_name) {
                if self.is_assigned_only(member) && self.is_declared_above(&types[index + 1..], key) {
                    continue;
                }
                if self.world.definition(member).flags.is_abstract
                    && self.rules(symbol.file).traits().defines_apart
                    && let Some(defined) = self.extension_member(*symbol, instance, member_name, receiver)
                {
                    return vec![defined];
                }
                let bound = self.member_substitution(member, (*symbol, args), receiver);
                self.consult(member);
                return vec![Member { symbol: member, bound }];
            }
            if let Some(member) = self.extension_member(*symbol, instance, member_name, receiver) {
                return vec![member];
            }
        }
        Vec::new()
    }

    /// Returns the substitution of the type parameters of a type, and of the part of it that declares a member.
    pub(super) fn member_substitution(
        &self,
        member: SymbolRef,
        (symbol, args): (SymbolRef, &[Value]),
        receiver: &Value,
    ) -> Substitution {
        let mut bound = self.own_substitution(symbol, args);
        if let Container::Definition(definition) = self.world.definition(member).container {
            let part = SymbolRef { file: member.file, definition };
            if part != symbol {
                bound.extend(self.own_substitution(part, args));
            }
        }
        bound.push((RECEIVER_TYPE, receiver.clone()));
        bound
    }

    /// Returns whether methods assign the attribute without an annotation, in a language where such assignments declare
    /// nothing.
    fn is_assigned_only(&self, member: SymbolRef) -> bool {
        let definition = self.world.definition(member);
        definition.kind == SymbolKind::Field
            && definition.value_type.is_none()
            && definition.value_scope.is_some()
            && self.rules(member.file).traits().assignments_keep_declarations
    }

    /// Returns whether one of these types declares a property or an attribute of this name in its body.
    fn is_declared_above(&mut self, types: &[Value], key: NameKey) -> bool {
        types.iter().any(|instance| {
            let Value::Instance { symbol, .. } = instance else { return false };
            self.consult(*symbol);
            let own = self.world.own_members(*symbol, key);
            own.iter().any(|member| {
                let definition = self.world.definition(*member);
                definition.flags.is_property
                    || (definition.kind == SymbolKind::Field
                        && (definition.value_type.is_some() || definition.value_scope.is_none()))
            })
        })
    }

    fn extension_member(
        &mut self,
        symbol: SymbolRef,
        instance: &Value,
        member_name: MemberName,
        receiver: &Value,
    ) -> Option<Member> {
        if !self.use_extensions {
            return None;
        }
        let world = self.world;
        let mut found: Option<(ExtensionRef, SymbolRef)> = None;
        // Inherent members take precedence over members of traits.
        for block in world.extensions_with(symbol, member_name.key) {
            self.count(1);
            if let Some(member) = preferred(self, world.extension_members(*block, member_name.key), member_name) {
                let is_cfg_inactive = world.definition(member).flags.is_cfg_inactive;
                if found.is_none() || !is_cfg_inactive {
                    found = Some((*block, member));
                }
                if !is_cfg_inactive {
                    break;
                }
            }
        }
        let (block, member) = found?;
        let mut bound = self.extension_substitution(block, instance);
        bound.push((RECEIVER_TYPE, receiver.clone()));
        self.consult(member);
        Some(Member { symbol: member, bound })
    }

    /// Adds the methods of a name that blocks add to a type.
    pub(super) fn add_extension_methods(
        &mut self,
        symbol: SymbolRef,
        instance: &Value,
        key: NameKey,
        receiver: &Value,
        found: &mut Vec<Member>,
    ) {
        if !self.use_extensions {
            return;
        }
        let world = self.world;
        for block in world.extensions_with(symbol, key) {
            self.count(1);
            for member in world.extension_members(*block, key) {
                let definition = world.definition(*member);
                if definition.kind.is_callable() && !definition.flags.is_property {
                    let mut bound = self.extension_substitution(*block, instance);
                    bound.push((RECEIVER_TYPE, receiver.clone()));
                    self.consult(*member);
                    found.push(Member { symbol: *member, bound });
                }
            }
        }
    }

    /// Returns the only abstract method of an interface of the repository; `Unknown` if there are none or several.
    pub fn only_method(&mut self, value: &Value) -> Value {
        let Value::Instance { symbol, args } = value else { return Value::Unknown };
        self.consult(*symbol);
        let Some(method) = self.world.only_method(*symbol) else { return Value::Unknown };
        // Its name was not looked up, but its parameters will be read.
        self.consult(method);
        let bound = self.own_substitution(*symbol, args);
        Value::Symbol { symbol: method, bound: Arc::new(bound) }
    }

    /// Returns the substitution of an extension block's parameters when the extended type is `instance`.
    pub fn extension_substitution(&mut self, block: ExtensionRef, instance: &Value) -> Substitution {
        let mut bound = Substitution::new();
        if let Some(target) = self.world.extensions().targets.get(&block) {
            target.unify(instance, &mut bound);
        }
        bound
    }

    /// Returns the denotation of `base.name` as the code of a site means it.
    pub fn member_denoted_at(&mut self, site: UseSite, base: &Value, name: &str) -> Value {
        let before = std::mem::replace(&mut self.use_site, site);
        let denoted = self.member_denoted(base, name);
        self.use_site = before;
        denoted
    }

    /// Returns the place whose code names the member that is looked up.
    pub fn use_site(&self) -> UseSite {
        self.use_site
    }

    /// Returns the denotation of `base.name` for any value.
    pub fn member_denoted(&mut self, base: &Value, name: &str) -> Value {
        let plain = plain_name(name);
        match base {
            Value::Unknown => Value::Unknown,
            Value::Module(module) => match self.module_member(*module, plain) {
                Value::Unknown => self.own_rules().undeclared_member(self, base, plain).unwrap_or_default(),
                known => known,
            },
            Value::Union(parts) => {
                let parts: Vec<Value> = parts.iter().map(|part| self.member_denoted(part, name)).collect();
                Value::union(parts)
            }
            Value::Object(members) => {
                let key = name_key(plain);
                match members.iter().find(|(known, _)| *known == key) {
                    Some((_, value)) => value.clone(),
                    None => self.first_member(base, name).unwrap_or(Value::Unknown),
                }
            }
            Value::External { .. } | Value::ExternalInstance { .. } | Value::ExternalMethod { .. } => {
                self.external_member(base, plain)
            }
            Value::Tuple(_) | Value::Function { .. } => {
                self.own_rules().external_member(self, base, plain).unwrap_or(Value::Unknown)
            }
            _ => match self.first_member(base, name) {
                Some(member) => member,
                None => match self.undeclared_member(base, plain) {
                    Some(member) => member,
                    None => self.inherited_external(base, plain),
                },
            },
        }
    }

    /// Returns a member that a type has without declaring it, by the rules of the language that is resolved, or of the
    /// type's own.
    fn undeclared_member(&mut self, base: &Value, name: &str) -> Option<Value> {
        if let Some(member) = self.own_rules().undeclared_member(self, base, name) {
            return Some(member);
        }
        let (Value::Instance { symbol, .. } | Value::Symbol { symbol, .. }) = base else { return None };
        let is_foreign = self.world.files[symbol.file.index()].language != self.world.files[self.file.index()].language;
        if is_foreign { self.rules(symbol.file).undeclared_member(self, base, name) } else { None }
    }

    fn first_member(&mut self, base: &Value, name: &str) -> Option<Value> {
        let Member { symbol, bound } = self.members(base, name).into_iter().next()?;
        Some(match self.denoted_symbol(symbol) {
            Value::Symbol { symbol, .. } => Value::Symbol { symbol, bound: Arc::new(bound) },
            other => other,
        })
    }

    /// Looks a member up in the external bases, since no definition of the repository has it.
    fn inherited_external(&mut self, base: &Value, name: &str) -> Value {
        let own;
        let instance = match base {
            Value::Symbol { symbol, .. } | Value::Parent { symbol }
                if self.world.definition(*symbol).kind.is_type() =>
            {
                own = self.own_instance(*symbol);
                &own
            }
            Value::Parameter(parameter) => {
                let external =
                    self.bounds(*parameter).into_iter().find(|value| matches!(value, Value::ExternalInstance { .. }));
                return external.map_or(Value::Unknown, |external| self.external_member(&external, name));
            }
            other => other,
        };
        let ancestors = self.ancestors(instance);
        if let Some(entry) = ancestors.iter().find_map(|value| entry_of(value, name_key(name))) {
            return entry.clone();
        }
        let is_external = |value: &&Value| matches!(value, Value::ExternalInstance { .. } | Value::External { .. });
        let has_member = |value: &&Value| is_external(value) && self.own_rules().has_external_member(value, name);
        match ancestors.iter().find(has_member).or_else(|| ancestors.iter().find(is_external)) {
            Some(external) => self.external_member(external, name),
            None => self.own_rules().external_member(self, base, name).unwrap_or(Value::Unknown),
        }
    }

    fn external_member(&mut self, base: &Value, name: &str) -> Value {
        if let Some(value) = self.own_rules().external_member(self, base, name) {
            return value;
        }
        match base {
            Value::External { name: owner, .. } => Value::external(&format!("{owner}.{name}")),
            _ => Value::ExternalMethod { receiver: Arc::new(base.clone()), name: name.into() },
        }
    }
}

/// Returns the member of an object literal.
fn entry_of(value: &Value, key: NameKey) -> Option<&Value> {
    let Value::Object(members) = value else { return None };
    members.iter().find(|(known, _)| *known == key).map(|(_, value)| value)
}

/// Returns the definition that a member is.
fn denoted_member(value: &Value) -> Option<Member> {
    match value {
        Value::Symbol { symbol, bound } => Some(Member { symbol: *symbol, bound: bound.to_vec() }),
        _ => None,
    }
}

/// Returns the name of a member without the `()` that marks a callee in languages where fields and methods can share a
/// name.
pub fn plain_name(name: &str) -> &str {
    name.strip_suffix("()").unwrap_or(name)
}

/// The name of a member, and whether it is called.
#[derive(Debug, Clone, Copy)]
struct MemberName {
    key: NameKey,
    /// Whether fields of this name are skipped.
    is_callee: bool,
    /// Whether methods are called on a type; `None` if both kinds are meant.
    is_static: Option<bool>,
}

impl MemberName {
    fn new(name: &str) -> MemberName {
        let plain = plain_name(name);
        MemberName { key: name_key(plain), is_callee: plain.len() < name.len(), is_static: None }
    }
}

/// Picks one of several members of the same name and type: the first with a body, or the last in languages where later
/// definitions replace earlier ones; otherwise the first.
fn preferred(eval: &mut Evaluator<'_>, members: &[SymbolRef], member_name: MemberName) -> Option<SymbolRef> {
    let first = *members.first()?;
    let key = (first, member_name.is_callee, member_name.is_static);
    if let Some(known) = eval.picked.get(&key) {
        return *known;
    }
    eval.count(members.len());
    let own = nearest_files(eval, members);
    let picked = pick(eval, own.as_deref().unwrap_or(members), member_name);
    if members.len() > 1 {
        eval.picked.insert(key, picked);
    }
    picked
}

/// Returns those of the members of a type that several files declare which are in a file that the resolved file imports,
/// or in the nearest one; `None` if this leaves out none.
fn nearest_files(eval: &mut Evaluator<'_>, members: &[SymbolRef]) -> Option<Vec<SymbolRef>> {
    let first = members.first()?.file;
    if members.iter().all(|member| member.file == first) || !eval.rules(first).traits().types_are_open {
        return None;
    }
    let imported = eval.imported_files();
    let world = eval.world;
    let from = world.files[eval.resolved_file().index()].path;
    let rank = |member: &SymbolRef| {
        let common = common_folders(world.files[member.file.index()].path, from);
        (member.file == eval.resolved_file() || imported.contains(&member.file), common)
    };
    let best = members.iter().map(rank).max()?;
    Some(members.iter().copied().filter(|member| rank(member) == best).collect())
}

/// Returns the number of folders that two paths have in common.
fn common_folders(one: &str, other: &str) -> usize {
    let folders = |path| crate::text::parent_dir(path).split('/');
    folders(one).zip(folders(other)).take_while(|(one, other)| one == other).count()
}

fn pick(eval: &Evaluator<'_>, members: &[SymbolRef], member_name: MemberName) -> Option<SymbolRef> {
    let fits = |member: &&SymbolRef| {
        let definition = eval.world.definition(**member);
        let is_static = definition.flags.is_static;
        if definition.kind.is_callable() && member_name.is_static.is_some_and(|wanted| wanted != is_static) {
            return false;
        }
        if member_name.is_callee {
            definition.kind != SymbolKind::Field || definition.flags.is_variant
        } else {
            !definition.kind.is_callable()
                || definition.flags.is_property
                || !eval.rules(member.file).traits().marks_callees
        }
    };
    let is_group = !member_name.is_callee
        && !members.iter().any(|member| fits(&member))
        && members.iter().all(|member| eval.rules(member.file).traits().has_method_groups);
    let fits = |member: &&SymbolRef| is_group || fits(member);
    let has_body = |member: &&SymbolRef| {
        let flags = eval.world.definition(**member).flags;
        !flags.is_abstract && !flags.is_cfg_inactive
    };
    let mut fitting = members.iter().filter(fits);
    let mut bodies = fitting.clone().filter(has_body).rev();
    let replaces = |member: &&SymbolRef| eval.rules(member.file).traits().later_definitions_replace;
    let Some(last) = bodies.clone().next().filter(replaces) else {
        return bodies.next_back().or_else(|| fitting.next()).copied();
    };
    // A property's setter and deleter follow it under the same name and do not replace it.
    let is_property = |member: &&SymbolRef| eval.world.definition(**member).flags.is_property;
    bodies.by_ref().take_while(is_property).last().or(Some(last)).copied()
}
