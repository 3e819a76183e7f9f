//! Evaluation of expressions as values.

use std::sync::Arc;

use super::{Evaluator, Query};
use crate::facts::{Container, Expr, ExprId};
use crate::model::SymbolKind;
use crate::resolve::modules::ModuleId;
use crate::resolve::rules::UseSite;
use crate::resolve::value::{SymbolRef, Value, Values};

impl<'w> Evaluator<'w> {
    /// Evaluates an expression as a value, seen from byte `at` of `site`.
    pub fn value_at(&mut self, site: UseSite, expr: ExprId, at: u32) -> Value {
        self.query(Query::Value(site.file, expr), |eval| eval.evaluate(site, expr, at))
    }

    fn evaluate(&mut self, site: UseSite, id: ExprId, at: u32) -> Value {
        match self.expr(site.file, id) {
            Expr::Unknown => Value::Unknown,
            Expr::Name(_) | Expr::Member { .. } | Expr::Root(_) | Expr::Definition(_) => {
                let denoted = self.denote(site, id, at);
                self.read_value(denoted)
            }
            Expr::Call { callee, args } => {
                let callee = self.callee(site, *callee, args, at);
                self.call(&callee, site, args, at)
            }
            Expr::Instance(inner) => self.type_of(site, *inner),
            Expr::Apply { base, args } => self.apply(site, *base, args, at),
            Expr::Index(inner) => {
                let value = self.value_at(site, *inner, at);
                self.map_alternatives(&value, |eval, part| eval.own_rules().index(eval, part))
            }
            Expr::Element(inner) => {
                let value = self.value_at(site, *inner, at);
                self.map_alternatives(&value, |eval, part| eval.own_rules().element(eval, part))
            }
            Expr::Item(inner, index) => {
                let value = self.value_at(site, *inner, at);
                self.map_alternatives(&value, |eval, part| match part {
                    Value::Tuple(parts) => parts.get(*index as usize).cloned().unwrap_or(Value::Unknown),
                    other => eval.own_rules().item(eval, other, *index as usize),
                })
            }
            Expr::Unwrap(inner) => {
                let value = self.value_at(site, *inner, at);
                self.map_alternatives(&value, |eval, part| eval.own_rules().unwrap(eval, part))
            }
            Expr::Receiver => self.receiver(site),
            Expr::ReceiverType => match self.receiver(site) {
                Value::Instance { symbol, .. } => Value::symbol(symbol),
                other => other,
            },
            Expr::FirstOf(parts) => self.first_known(site, parts, |eval, part| eval.value_at(site, part, at)),
            Expr::ParentOf(class) => parent_of(&self.type_of(site, *class)),
            Expr::Parent => self.parent(site),
            Expr::Union(parts) => Value::union(self.values(site, parts, at)),
            Expr::Tuple(parts) => Value::Tuple(self.values(site, parts, at).into()),
            Expr::Function { params, result } => {
                let params: Values = params.iter().map(|param| self.type_of(site, *param)).collect();
                let result = result.map_or(Value::Unknown, |result| self.value_at(site, result, at));
                Value::Function { params, result: result.into() }
            }
            Expr::LambdaParameter { call, argument, parameter } => {
                self.lambda_parameter(site, *call, *argument, *parameter, at)
            }
            Expr::ArgumentOf { call, argument } => self.expected_of(site, *call, *argument, at),
            Expr::ParameterOf { function, parameter } => {
                let function = self.value_at(site, *function, at);
                self.parameter_of(&function, *parameter)
            }
            Expr::TypeOf(inner) | Expr::Labeled { value: inner, .. } => self.value_at(site, *inner, at),
            Expr::Builtin { name, args } => {
                let args = args.iter().map(|arg| self.value_at(site, *arg, at)).collect();
                let outline = self.world.outline(site.file);
                self.rules(site.file).apply_in(self, outline.names.get(*name), args)
            }
            Expr::Object(members) => {
                let outline = self.world.outline(site.file);
                let entry = |eval: &mut Self, (name, value): &(_, ExprId)| {
                    (outline.names.key(*name), eval.value_at(site, *value, at))
                };
                Value::Object(members.iter().map(|member| entry(self, member)).collect())
            }
        }
    }

    /// Returns the value that is called: the chosen overload, if there are several.
    fn callee(&mut self, site: UseSite, callee: ExprId, args: &[ExprId], at: u32) -> Value {
        match self.overload(site, callee, args, at) {
            Some(chosen) => {
                let chosen = Value::Symbol { symbol: chosen.symbol, bound: Arc::new(chosen.bound) };
                let Expr::Apply { args: types, .. } = self.expr(site.file, callee) else { return chosen };
                let types = types.iter().map(|known| self.type_of(site, *known)).collect();
                self.apply_arguments(chosen, types)
            }
            None => match self.value_at(site, callee, at) {
                value @ (Value::Instance { .. } | Value::ExternalInstance { .. })
                    if self.rules(site.file).traits().generates_methods =>
                {
                    self.generated(site, callee, args, at).unwrap_or(value)
                }
                Value::Module(module) => match self.expr(site.file, callee) {
                    Expr::Name(name) => {
                        self.function_beside_module(site, *name).map_or(Value::Module(module), Value::symbol)
                    }
                    _ => Value::Module(module),
                },
                value => value,
            },
        }
    }

    /// Returns the method that a generator makes of a field: one without arguments returns the field's value, any other
    /// one its receiver, which it changes or copies.
    fn generated(&mut self, site: UseSite, callee: ExprId, args: &[ExprId], at: u32) -> Option<Value> {
        let Expr::Member { base, .. } = self.expr(site.file, callee) else { return None };
        let Value::Symbol { symbol, bound } = self.denote(site, callee, at) else { return None };
        let definition = self.world.definition(symbol);
        if definition.kind != SymbolKind::Field || definition.flags.is_variant {
            return None;
        }
        let result =
            if args.is_empty() { self.read(symbol).substitute(&bound) } else { self.member_base(site, *base, at) };
        Some(Value::Function { params: Arc::new([]), result: Arc::new(result) })
    }

    /// Returns the value of a base with generic arguments, or of its element where the brackets index a value.
    fn apply(&mut self, site: UseSite, base: ExprId, args: &[ExprId], at: u32) -> Value {
        let base = self.denote(site, base, at);
        if self.rules(site.file).traits().arguments_may_index && !self.takes_arguments(&base) {
            let value = self.read_value(base);
            return self.map_alternatives(&value, |eval, part| eval.own_rules().index(eval, part));
        }
        let args: Vec<Value> = args.iter().map(|arg| self.type_of(site, *arg)).collect();
        self.apply_arguments(base, args)
    }

    /// Returns whether generic arguments can be applied: to functions and types.
    fn takes_arguments(&self, denoted: &Value) -> bool {
        match denoted {
            Value::Symbol { symbol, .. } => {
                let kind = self.world.definition(*symbol).kind;
                kind.is_callable() || kind.is_type()
            }
            Value::External { .. } | Value::Unknown => true,
            _ => false,
        }
    }

    /// Returns the first of the results for these expressions that is known; a method that the file does not see is the last.
    fn first_known(
        &mut self,
        site: UseSite,
        parts: &[ExprId],
        mut evaluate: impl FnMut(&mut Self, ExprId) -> Value,
    ) -> Value {
        let mut hidden = Value::Unknown;
        for part in parts {
            match evaluate(self, *part) {
                Value::Unknown => {}
                Value::Symbol { symbol, bound } if self.is_hidden(site, symbol) => {
                    if hidden.is_unknown() {
                        hidden = Value::Symbol { symbol, bound };
                    }
                }
                known => return known,
            }
        }
        hidden
    }

    /// Returns the expression that [`Expr::FirstOf`] means.
    pub fn first_denoted(&mut self, site: UseSite, parts: &[ExprId], at: u32) -> Option<ExprId> {
        let mut meant = None;
        self.first_known(site, parts, |eval, part| {
            let denoted = eval.denote(site, part, at);
            let is_seen = !matches!(denoted, Value::Symbol { symbol, .. } if eval.is_hidden(site, symbol));
            if !denoted.is_unknown() && (is_seen || meant.is_none()) {
                meant = Some(part);
            }
            denoted
        });
        meant
    }

    /// Returns whether a file does not see a method that code elsewhere adds to a type.
    pub fn is_hidden(&mut self, site: UseSite, method: SymbolRef) -> bool {
        let is_added = matches!(self.world.definition(method).container, Container::Extension(_));
        is_added && !self.rules(site.file).sees_extension(self, site.file, method)
    }

    /// Returns the denotation of a name or path: the definition, module or external name itself, not its value.
    pub fn denote(&mut self, site: UseSite, id: ExprId, at: u32) -> Value {
        let outline = self.world.outline(site.file);
        match self.expr(site.file, id) {
            Expr::Name(name) => {
                // A module that shares its name with something else is meant only as a base of a path: see
                // `member_base`.
                let mut module = None;
                let mut is_variable = false;
                for found in self.lookup(site, *name, at) {
                    is_variable |= found.is_variable_at(at);
                    match self.denoted(found) {
                        Value::Unknown => {}
                        Value::Module(id) => module = module.or(Some(Value::Module(id))),
                        value => return value,
                    }
                }
                // A variable hides what has its name elsewhere, whether its value is known or not.
                if is_variable {
                    return module.unwrap_or_default();
                }
                module.or_else(|| self.resolve_unbound(site, *name)).unwrap_or(Value::Unknown)
            }
            Expr::Member { base: path, name } => {
                let base = self.member_base(site, *path, at);
                if let Value::Module(module) = base
                    && self.rules(site.file).traits().overloads_in_namespaces
                    && let Some(meant) = self.in_namespace(site, (*path, *name), module, at)
                {
                    return self.denoted(meant);
                }
                self.member_denoted_at(site, &base, outline.names.get(*name))
            }
            Expr::Root(name) => self.rules(site.file).root(self, site, outline.names.get(*name)),
            Expr::Apply { base, args } => {
                let denoted = self.denote(site, *base, at);
                self.denoted_of_arity(denoted, args.len())
            }
            Expr::FirstOf(parts) => self.first_known(site, parts, |eval, part| eval.denote(site, part, at)),
            Expr::Definition(id) => self.denoted_symbol(SymbolRef { file: site.file, definition: *id }),
            _ => self.value_at(site, id, at),
        }
    }

    /// Evaluates the base of a member access. Functions have no members, so a module of the same name takes precedence
    /// over a function.
    pub fn member_base(&mut self, site: UseSite, base: ExprId, at: u32) -> Value {
        let value = self.value_at(site, base, at);
        match &value {
            Value::Symbol { symbol, .. } if self.world.definition(*symbol).kind.is_callable() => {
                self.module_denoted(site, base, at).map_or(value, Value::Module)
            }
            _ => value,
        }
    }

    fn module_denoted(&mut self, site: UseSite, id: ExprId, at: u32) -> Option<ModuleId> {
        match self.expr(site.file, id) {
            Expr::Name(name) => self.lookup(site, *name, at).find_map(|found| match self.denoted(found) {
                Value::Module(module) => Some(module),
                _ => None,
            }),
            Expr::Member { base, name } => {
                let Value::Module(outer) = self.member_base(site, *base, at) else { return None };
                let key = self.world.outline(site.file).names.key(*name);
                self.record_lookup(key);
                self.world.modules.get(outer).children.get(&key).copied()
            }
            _ => None,
        }
    }

    /// Returns the value of a denotation: the value of a variable or field, and everything else unchanged.
    pub fn read_value(&mut self, denoted: Value) -> Value {
        match &denoted {
            Value::Symbol { symbol, bound } => {
                let value = self.companion(*symbol, false);
                if value != *symbol {
                    return self.read_value(Value::Symbol { symbol: value, bound: bound.clone() });
                }
                let definition = self.world.definition(*symbol);
                if (definition.kind.is_callable() && !definition.flags.is_property) || definition.kind.is_type() {
                    return denoted;
                }
                self.read(*symbol).substitute(bound)
            }
            Value::Union(parts) => {
                Value::union(parts.iter().map(|part| self.read_value(part.clone())).collect::<Vec<_>>())
            }
            _ => denoted,
        }
    }

    /// Applies `compute` to each alternative of a value and returns the union of the results.
    pub fn map_alternatives(&mut self, value: &Value, mut compute: impl FnMut(&mut Self, &Value) -> Value) -> Value {
        let mut parts = Vec::new();
        for part in value.alternatives() {
            parts.push(compute(self, part));
        }
        Value::union(parts)
    }
}

/// Returns the parent as which the type of an instance is seen.
pub(super) fn parent_of(instance: &Value) -> Value {
    match instance {
        Value::Instance { symbol, .. } => Value::Parent { symbol: *symbol },
        _ => Value::Unknown,
    }
}
