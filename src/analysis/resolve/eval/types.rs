//! Evaluation of expressions as types.

use super::names::{AS_TYPE, AT_END};
use std::sync::Arc;

use super::{Evaluator, Query};
use crate::facts::{Expr, ExprId};
use crate::model::SymbolKind;
use crate::resolve::input::FileIndex;
use crate::resolve::rules::UseSite;
use crate::resolve::value::{ParameterRef, Substitution, SymbolRef, Value, Values};

/// The receiver's own type in results and parameters (`-> Self`), so that an inherited method returns the subclass.
pub const RECEIVER_TYPE: ParameterRef = ParameterRef { file: FileIndex::MAX, owner: 0, extension: false, index: 0 };

impl<'w> Evaluator<'w> {
    /// Evaluates an expression as a type and returns an instance of it.
    pub fn type_of(&mut self, site: UseSite, expr: ExprId) -> Value {
        self.query(Query::Type(site.file, expr, self.self_type_open), |eval| eval.evaluate_type(site, expr))
    }

    /// Returns the type of the name of another one that has a number of type parameters, in languages where types differ by
    /// it; the type itself if there is none.
    pub fn of_arity(&mut self, symbol: SymbolRef, count: usize) -> SymbolRef {
        let world = self.world;
        let definition = world.definition(symbol);
        if !self.rules(symbol.file).traits().types_differ_by_arity
            || !definition.kind.is_type()
            || definition.type_parameters.len() == count
        {
            return symbol;
        }
        let outline = world.outline(symbol.file);
        let key = outline.names.key(definition.name);
        self.record_lookup(key);
        let named = world.named(world.files[symbol.file.index()].language, key);
        self.count(named.len());
        let names = |one: SymbolRef| {
            let names = &world.outline(one.file).names;
            world.definition(one).scope_names.iter().map(|name| names.get(*name)).collect::<Vec<_>>()
        };
        let own = self.module_at(UseSite { file: symbol.file, scope: definition.scope });
        let is_beside = |one: &SymbolRef| {
            let other = world.definition(*one);
            other.kind.is_type()
                && other.type_parameters.len() == count
                && names(*one) == names(symbol)
                && self.module_at(UseSite { file: one.file, scope: other.scope }) == own
        };
        named.iter().copied().find(is_beside).unwrap_or(symbol)
    }

    /// Returns what a name denotes with a number of type arguments.
    pub(super) fn denoted_of_arity(&mut self, denoted: Value, count: usize) -> Value {
        match denoted {
            Value::Symbol { symbol, bound } => Value::Symbol { symbol: self.of_arity(symbol, count), bound },
            other => other,
        }
    }

    fn evaluate_type(&mut self, site: UseSite, id: ExprId) -> Value {
        match self.expr(site.file, id) {
            Expr::Name(_) | Expr::Member { .. } | Expr::Root(_) => {
                let denoted = self.denote(site, id, AS_TYPE);
                let denoted = self.denoted_of_arity(denoted, 0);
                self.instantiate(&denoted, Vec::new())
            }
            Expr::Apply { base, args } => {
                let denoted = self.denote(site, *base, AS_TYPE);
                let denoted = self.denoted_of_arity(denoted, args.len());
                let args = args.iter().map(|arg| self.type_of(site, *arg)).collect();
                self.instantiate(&denoted, args)
            }
            Expr::Instance(inner) => self.type_of(site, *inner),
            Expr::TypeOf(inner) => self.value_at(site, *inner, AT_END),
            Expr::Receiver => self.receiver(site),
            Expr::ReceiverType if self.self_type_open => Value::Parameter(RECEIVER_TYPE),
            Expr::ReceiverType => self.receiver(site),
            Expr::Union(parts) => Value::union(parts.iter().map(|part| self.type_of(site, *part)).collect::<Vec<_>>()),
            Expr::Tuple(parts) => Value::Tuple(parts.iter().map(|part| self.type_of(site, *part)).collect()),
            Expr::Function { params, result } => {
                let params: Values = params.iter().map(|param| self.type_of(site, *param)).collect();
                let result = result.map_or(Value::Unknown, |result| self.type_of(site, result));
                Value::Function { params, result: result.into() }
            }
            Expr::Builtin { name, args } => {
                let args = args.iter().map(|arg| self.type_of(site, *arg)).collect();
                let outline = self.world.outline(site.file);
                self.rules(site.file).apply_in(self, outline.names.get(*name), args)
            }
            Expr::Object(members) => {
                let outline = self.world.outline(site.file);
                let mut entries = Vec::new();
                for (name, value) in members {
                    let member = match self.expr(site.file, *value) {
                        Expr::TypeOf(inner) => match self.expr(site.file, *inner) {
                            Expr::Definition(definition) => {
                                Some(SymbolRef { file: site.file, definition: *definition })
                            }
                            _ => None,
                        },
                        _ => None,
                    };
                    let value = match member {
                        Some(member) => self.declared_part(member),
                        None => self.type_of(site, *value),
                    };
                    entries.push((outline.names.key(*name), value));
                }
                Value::Object(entries.into())
            }
            Expr::Element(inner) => {
                let value = self.type_of(site, *inner);
                self.map_alternatives(&value, |eval, part| eval.own_rules().element(eval, part))
            }
            Expr::Unwrap(inner) => {
                let value = self.type_of(site, *inner);
                self.map_alternatives(&value, |eval, part| eval.own_rules().unwrap(eval, part))
            }
            _ => {
                let value = self.value_at(site, id, AT_END);
                self.instantiate(&value, Vec::new())
            }
        }
    }

    /// Returns a member that a part of a type declares (`type A = { one: string } & B`). The type parameters around it are open,
    /// so that the arguments of the type replace them.
    fn declared_part(&mut self, member: SymbolRef) -> Value {
        let mut bound = Substitution::new();
        let mut at = self.world.definition(member).parent;
        while let Some(definition) = at {
            let outer = SymbolRef { file: member.file, definition };
            let args: Vec<Value> = self.own_parameters(outer).map(Value::Parameter).collect();
            bound.extend(self.own_substitution(outer, &args));
            at = self.world.definition(outer).parent;
        }
        match self.denoted_symbol(member) {
            Value::Symbol { symbol, .. } => Value::Symbol { symbol, bound: bound.into() },
            other => other,
        }
    }

    /// Returns the type parameters of a definition.
    pub(super) fn own_parameters(&self, symbol: SymbolRef) -> impl Iterator<Item = ParameterRef> + use<> {
        let count = self.world.definition(symbol).type_parameters.len() as u16;
        let owner = symbol.definition.get();
        (0..count).map(move |index| ParameterRef { file: symbol.file, owner, extension: false, index })
    }

    /// Returns an instance of a denoted type with generic arguments.
    pub fn instantiate(&mut self, denoted: &Value, args: Vec<Value>) -> Value {
        match denoted {
            Value::Symbol { symbol, bound } => self.instantiate_symbol(*symbol, bound, args),
            Value::External { name, args: known } => {
                let args = if args.is_empty() { known.to_vec() } else { args };
                self.own_rules().apply_in(self, name, args)
            }
            Value::Union(parts) => {
                let parts: Vec<Value> = parts.iter().map(|part| self.instantiate(part, args.clone())).collect();
                Value::union(parts)
            }
            Value::Module(_) => Value::Unknown,
            // The name of a type of a library can stand for a value of it.
            Value::ExternalInstance { name, args: known } if known.is_empty() && !args.is_empty() => {
                self.own_rules().apply_in(self, name, args)
            }
            other => other.clone(),
        }
    }

    fn instantiate_symbol(&mut self, symbol: SymbolRef, bound: &Substitution, args: Vec<Value>) -> Value {
        self.consult(symbol);
        let symbol = self.companion(symbol, true);
        let definition = self.world.definition(symbol);
        let site = UseSite { file: symbol.file, scope: definition.scope };
        if definition.flags.is_alias
            && let Some(target) = definition.value_type
        {
            let mut substitution = self.own_substitution(symbol, &args);
            substitution.extend(bound.iter().cloned());
            return self.type_of(site, target).substitute(&substitution);
        }
        match definition.kind {
            kind if kind.is_type() => {
                let args = if args.is_empty() { self.bound_arguments(symbol, bound) } else { args };
                Value::Instance { symbol, args: args.into() }
            }
            _ if self.world.makes_instances(symbol) => Value::Instance { symbol, args: Arc::new([]) },
            SymbolKind::Var | SymbolKind::Const if self.world.is_object(symbol) => self.own_instance(symbol),
            SymbolKind::Field if definition.flags.is_variant => Value::Instance { symbol, args: args.into() },
            SymbolKind::Var | SymbolKind::Const | SymbolKind::Field => {
                definition.value.map_or(Value::Unknown, |value| self.type_of(site, value))
            }
            _ => Value::Unknown,
        }
    }

    /// Returns the underlying type of a defined type (`type Handlers []Handler`), through all such types. `None` for
    /// aliases, which are always expanded, and for types with members of their own.
    pub fn underlying(&mut self, value: &Value) -> Option<Value> {
        const MAX_STEPS: usize = 8;
        let mut at = self.underlying_step(value)?;
        for _ in 0..MAX_STEPS {
            match self.underlying_step(&at) {
                Some(next) => at = next,
                None => return Some(at),
            }
        }
        None
    }

    fn underlying_step(&mut self, value: &Value) -> Option<Value> {
        let Value::Instance { symbol, args } = value else { return None };
        self.consult(*symbol);
        let definition = self.world.definition(*symbol);
        let written = definition.value_type.filter(|_| definition.kind.is_type() && !definition.flags.is_alias)?;
        let substitution = self.own_substitution(*symbol, args);
        Some(self.type_of(UseSite { file: symbol.file, scope: definition.scope }, written).substitute(&substitution))
    }

    /// Returns the substitution of a definition's type parameters by arguments in their order.
    pub fn own_substitution(&self, symbol: SymbolRef, args: &[Value]) -> Substitution {
        self.own_parameters(symbol).zip(args.iter().cloned()).collect()
    }

    fn bound_arguments(&self, symbol: SymbolRef, bound: &Substitution) -> Vec<Value> {
        let owner =
            |key: &ParameterRef| key.file == symbol.file && key.owner == symbol.definition.get() && !key.extension;
        let parameters = self.world.definition(symbol).type_parameters.len();
        let mut args = vec![Value::Unknown; parameters];
        for (key, value) in bound.iter().filter(|(key, _)| owner(key)) {
            if let Some(slot) = args.get_mut(key.index as usize) {
                *slot = value.clone();
            }
        }
        if args.iter().all(Value::is_unknown) { Vec::new() } else { args }
    }

    /// Applies explicit generic arguments to a denoted value: `Foo[int]`, `f::<T>`.
    pub fn apply_arguments(&mut self, denoted: Value, args: Vec<Value>) -> Value {
        match denoted {
            Value::Symbol { symbol, bound } => {
                let mut bound = (*bound).clone();
                bound.extend(self.own_substitution(symbol, &args));
                Value::Symbol { symbol, bound: bound.into() }
            }
            Value::External { name, .. } => Value::External { name, args: args.into() },
            Value::ExternalMethod { receiver, name } => {
                let applied = self.own_rules().applied_method(&name, &args);
                applied.unwrap_or(Value::ExternalMethod { receiver, name })
            }
            // The name of a type of a library can stand for a value of it.
            Value::ExternalInstance { name, args: known } if known.is_empty() => {
                Value::ExternalInstance { name, args: args.into() }
            }
            other => other,
        }
    }
}
