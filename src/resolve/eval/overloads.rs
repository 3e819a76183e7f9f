//! Choice among the methods of a name by the arguments of a call.
//!
//! A simplified form of what the languages specify (Java Language Specification, 15.12.2; C# specification, 12.6.4):
//! methods that can't take the number or the types of the arguments drop out, and of the others the one whose
//! parameters fit best is meant. Unknown types fit everything a little.

use super::Evaluator;
use super::members::{Member, plain_name};
use super::names::bindings_of;
use super::types::RECEIVER_TYPE;
use crate::facts::{ArgumentCount, Atom, BindingKind, Expr, ExprId, NameKey, ScopeKind, name_key};
use crate::model::SymbolKind;
use crate::resolve::rules::UseSite;
use crate::resolve::value::{Substitution, SymbolRef, Value};

/// The fit of a value of unknown type.
const UNKNOWN_FIT: u32 = 1;
/// The fit of the same type.
const SAME_FIT: u32 = 4;
/// The fit of a subtype.
const SUBTYPE_FIT: u32 = 3;

impl Evaluator<'_> {
    /// Returns the method that a call means if its receiver has several of the name, in languages that choose among
    /// them by arguments; otherwise `None`.
    pub fn overload(&mut self, site: UseSite, callee: ExprId, args: &[ExprId], at: u32) -> Option<Member> {
        if !self.rules(site.file).chooses_overloads() {
            return None;
        }
        let (receiver, name) = match self.expr(site.file, callee) {
            Expr::Member { base, name } => (self.member_base(site, *base, at), *name),
            Expr::Name(name) => match self.enclosing_type_with(site, *name) {
                Some(owner) => (owner, *name),
                None => return self.overloaded_function(site, *name, args, at),
            },
            Expr::Apply { base, .. } => return self.overload(site, *base, args, at),
            _ => return None,
        };
        let name = self.world.outline(site.file).names.get(name);
        let candidates = self.methods(&receiver, plain_name(name));
        if candidates.len() < 2 {
            return None;
        }
        let mut member = self.best_fitting(candidates, site, args, at)?;
        if let Some(definition) = self.definition_of_method(member.symbol) {
            member.symbol = definition;
        }
        Some(member)
    }

    /// Returns the first of the candidates that fit the arguments best.
    fn best_fitting(&mut self, candidates: Vec<Member>, site: UseSite, args: &[ExprId], at: u32) -> Option<Member> {
        let values: Vec<Value> = args.iter().map(|arg| self.value_at(site, *arg, at)).collect();
        let mut best: Option<(u32, Member)> = None;
        for candidate in candidates {
            let Some(fit) = self.fit_of_arguments(&candidate, &values) else { continue };
            if best.as_ref().is_none_or(|(known, _)| fit > *known) {
                best = Some((fit, candidate));
            }
        }
        best.map(|(_, member)| member)
    }

    /// Returns the function that a call means if the scope of its name has several, in languages where functions have
    /// overloads; otherwise `None`.
    fn overloaded_function(&mut self, site: UseSite, name: Atom, args: &[ExprId], at: u32) -> Option<Member> {
        if !self.rules(site.file).links_files() {
            return None;
        }
        let found = self.lookup(site, name, at).next()?;
        let BindingKind::Definition(first) = found.binding.kind else { return None };
        let outline = self.world.outline(found.file);
        let first = outline.definitions.get(first.index()).filter(|first| first.kind == SymbolKind::Function)?;
        let code = self.world.code(found.file);
        let scope = code.scopes.get(found.binding.scope.0 as usize)?;
        let table = if scope.kind == ScopeKind::Module { &outline.bindings } else { &code.bindings };
        let run = bindings_of(table, found.binding.scope, found.binding.name);
        let mut candidates: Vec<Member> = Vec::new();
        // The last one is what the name means without arguments.
        for binding in run.iter().rev() {
            let BindingKind::Definition(definition) = binding.kind else { continue };
            let other = &outline.definitions[definition.index()];
            let symbol = SymbolRef { file: found.file, definition };
            if other.kind == first.kind && other.scope_names == first.scope_names {
                candidates.push(Member { symbol, bound: Substitution::new() });
            }
        }
        self.count(run.len());
        if candidates.len() < 2 { None } else { self.best_fitting(candidates, site, args, at) }
    }

    /// Returns the innermost type around a site that has a member of this name.
    fn enclosing_type_with(&mut self, site: UseSite, name: Atom) -> Option<Value> {
        let key = name_key(plain_name(self.world.outline(site.file).names.get(name)));
        self.record_lookup(key);
        let mut at = Some(site.scope);
        while let Some(id) = at {
            let scope = *self.world.code(site.file).scopes.get(id.0 as usize)?;
            if let Some(owner) = self.type_of_scope(site.file, scope) {
                let own = self.own_instance(owner);
                if self.world.has_member(key) && !self.methods_by_key(&own, key).is_empty() {
                    return Some(own);
                }
            }
            at = scope.parent;
        }
        None
    }

    /// Returns the methods of a value or type that are called `name`, those of the nearest supertypes first.
    fn methods(&mut self, receiver: &Value, name: &str) -> Vec<Member> {
        let key = name_key(name);
        self.record_lookup(key);
        let own;
        let instance = match receiver {
            Value::Instance { .. } => receiver,
            Value::Symbol { symbol, .. } | Value::Parent { symbol }
                if self.world.definition(*symbol).kind.is_type() =>
            {
                own = self.own_instance(*symbol);
                &own
            }
            _ => return Vec::new(),
        };
        let mut methods = self.methods_by_key(instance, key);
        if let Value::Parent { symbol } = receiver {
            methods.retain(|member| !self.world.own_members(*symbol, key).contains(&member.symbol));
        }
        methods
    }

    fn methods_by_key(&mut self, instance: &Value, key: NameKey) -> Vec<Member> {
        let mut found = Vec::new();
        for ancestor in self.ancestors(instance).iter() {
            let Value::Instance { symbol, args } = ancestor else { continue };
            self.consult(*symbol);
            for member in self.world.own_members(*symbol, key) {
                let definition = self.world.definition(*member);
                if definition.kind.is_callable() && !definition.flags.is_property {
                    self.consult(*member);
                    let mut bound = self.own_substitution(*symbol, args);
                    bound.push((RECEIVER_TYPE, instance.clone()));
                    found.push(Member { symbol: *member, bound });
                }
            }
        }
        found
    }

    /// Returns how well arguments fit the parameters of a method; `None` if they can't be passed.
    fn fit_of_arguments(&mut self, method: &Member, values: &[Value]) -> Option<u32> {
        let definition = self.world.definition(method.symbol);
        let parameters = &definition.parameters;
        let required = parameters.iter().filter(|one| one.arguments == ArgumentCount::One).count();
        let takes_any = parameters.last().is_some_and(|last| last.arguments == ArgumentCount::Any);
        if values.len() < required || (values.len() > parameters.len() && !takes_any) {
            return None;
        }
        let own = UseSite { file: method.symbol.file, scope: definition.scope };
        // A method that takes exactly these arguments precedes one that takes any number.
        let mut total = if takes_any { 0 } else { 1 };
        for (index, value) in values.iter().enumerate() {
            let parameter = parameters.get(index).or(parameters.last())?;
            let expected = parameter.value_type.map_or(Value::Unknown, |expr| self.type_of(own, expr));
            let expected = expected.substitute(&method.bound);
            let fit = self.fit(value, &expected);
            let is_rest = takes_any && index + 1 >= parameters.len();
            let element = if is_rest { self.fit(value, &expected.argument(0)) } else { None };
            match fit.max(element) {
                Some(fit) => total += 2 * fit,
                // A constructor may convert it.
                None if self.own_rules().links_files() => {}
                None => return None,
            }
        }
        Some(total)
    }

    /// Returns how well a value fits a type; `None` if it can't be passed.
    pub fn fit(&mut self, actual: &Value, expected: &Value) -> Option<u32> {
        match (actual, expected) {
            (Value::Unknown, _) | (_, Value::Unknown | Value::Parameter(_)) => Some(UNKNOWN_FIT),
            (Value::Union(parts), _) => parts.iter().filter_map(|part| self.fit(part, expected)).max(),
            (_, Value::Union(parts)) => parts.iter().filter_map(|part| self.fit(actual, part)).max(),
            (Value::Parameter(parameter), _) => {
                let bounds = self.bounds(*parameter);
                bounds.iter().find_map(|bound| self.fit(bound, expected)).or(Some(UNKNOWN_FIT))
            }
            (Value::Instance { symbol, .. }, Value::Instance { symbol: other, .. }) if symbol == other => {
                Some(SAME_FIT)
            }
            (Value::Instance { .. }, _) => self.fit_of_ancestors(actual, expected),
            (Value::ExternalInstance { .. }, Value::ExternalInstance { .. }) => {
                self.own_rules().external_fit(actual, expected)
            }
            (Value::ExternalInstance { .. }, Value::Instance { .. }) => None,
            (Value::Function { params, .. }, Value::Instance { .. }) => {
                let method = self.own_rules().callable(self, expected);
                let Value::Symbol { symbol, .. } = method else { return None };
                let wanted = self.world.definition(symbol).parameters.len();
                (params.is_empty() || params.len() == wanted).then_some(SUBTYPE_FIT)
            }
            _ => Some(UNKNOWN_FIT),
        }
    }

    fn fit_of_ancestors(&mut self, actual: &Value, expected: &Value) -> Option<u32> {
        let ancestors = self.ancestors(actual);
        let mut has_external = false;
        for ancestor in &ancestors[1.min(ancestors.len())..] {
            match (ancestor, expected) {
                (Value::Instance { symbol, .. }, Value::Instance { symbol: other, .. }) if symbol == other => {
                    return Some(SUBTYPE_FIT);
                }
                (Value::ExternalInstance { name, .. }, Value::ExternalInstance { name: other, .. })
                    if name == other =>
                {
                    return Some(SUBTYPE_FIT);
                }
                (Value::ExternalInstance { .. }, _) => has_external = true,
                _ => {}
            }
        }
        match expected {
            // The supertypes of external types are unknown.
            Value::ExternalInstance { .. } => {
                let root = Value::external_instance(self.own_rules().root_type(), Vec::new());
                (has_external || *expected == root).then_some(UNKNOWN_FIT)
            }
            _ => None,
        }
    }
}
