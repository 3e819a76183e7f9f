//! Expressions read as types: what a value so annotated is.

use super::names::{AS_TYPE, AT_END};
use super::{Evaluator, Question};
use crate::facts::{Expr, ExprId};
use crate::model::SymbolKind;
use crate::resolve::rules::Place;
use crate::resolve::value::{ParameterRef, Substitution, SymbolRef, Value, Values};

/// Stands for the receiver's own type in results and parameters (`-> Self`), so that a method inherited by a
/// subclass gives a value of the subclass.
pub const RECEIVER_TYPE: ParameterRef = ParameterRef { file: u32::MAX, owner: 0, extension: false, index: 0 };

impl<'w> Evaluator<'w> {
    /// A value of the type that `expr` writes.
    pub fn type_of(&mut self, place: Place, expr: ExprId) -> Value {
        self.answer(Question::Type(place.file, expr, self.receiver_stands_open), |eval| eval.evaluate_type(place, expr))
    }

    fn evaluate_type(&mut self, place: Place, id: ExprId) -> Value {
        match self.expr(place.file, id) {
            Expr::Name(_) | Expr::Member { .. } | Expr::Root(_) => {
                let denoted = self.denote(place, id, AS_TYPE);
                self.instantiate(&denoted, Vec::new())
            }
            Expr::Apply { base, args } => {
                let denoted = self.denote(place, *base, AS_TYPE);
                let args = args.iter().map(|arg| self.type_of(place, *arg)).collect();
                self.instantiate(&denoted, args)
            }
            Expr::Instance(inner) => self.type_of(place, *inner),
            Expr::TypeOf(inner) => self.value_at(place, *inner, AT_END),
            Expr::Receiver => self.receiver(place),
            Expr::ReceiverType if self.receiver_stands_open => Value::Parameter(RECEIVER_TYPE),
            Expr::ReceiverType => self.receiver(place),
            Expr::Union(parts) => Value::union(parts.iter().map(|part| self.type_of(place, *part)).collect::<Vec<_>>()),
            Expr::Tuple(parts) => Value::Tuple(parts.iter().map(|part| self.type_of(place, *part)).collect()),
            Expr::Function { params, result } => {
                let params: Values = params.iter().map(|param| self.type_of(place, *param)).collect();
                let result = result.map_or(Value::Unknown, |result| self.type_of(place, result));
                Value::Function { params, result: result.into() }
            }
            Expr::Builtin { name, args } => {
                let args = args.iter().map(|arg| self.type_of(place, *arg)).collect();
                let outline = self.world.outline(place.file);
                self.rules(place.file).apply_in(self, outline.names.get(*name), args)
            }
            Expr::Object(members) => {
                let outline = self.world.outline(place.file);
                let mut entries = Vec::new();
                for (name, value) in members {
                    entries.push((outline.names.key(*name), self.type_of(place, *value)));
                }
                Value::Object(entries.into())
            }
            Expr::Element(inner) => {
                let value = self.type_of(place, *inner);
                self.map_alternatives(&value, |eval, part| eval.own_rules().element(eval, part))
            }
            Expr::Unwrap(inner) => {
                let value = self.type_of(place, *inner);
                self.map_alternatives(&value, |eval, part| eval.own_rules().unwrap(eval, part))
            }
            _ => {
                let value = self.value_at(place, id, AT_END);
                self.instantiate(&value, Vec::new())
            }
        }
    }

    /// A value of what a type name denotes, with generic arguments.
    pub fn instantiate(&mut self, denoted: &Value, args: Vec<Value>) -> Value {
        match denoted {
            Value::Symbol { symbol, bound } => self.instantiate_symbol(*symbol, bound, args),
            Value::Foreign { name, args: known } => {
                let args = if args.is_empty() { known.to_vec() } else { args };
                self.own_rules().apply_in(self, name, args)
            }
            Value::Union(parts) => {
                let parts: Vec<Value> = parts.iter().map(|part| self.instantiate(part, args.clone())).collect();
                Value::union(parts)
            }
            Value::Module(_) => Value::Unknown,
            other => other.clone(),
        }
    }

    fn instantiate_symbol(&mut self, symbol: SymbolRef, bound: &Substitution, args: Vec<Value>) -> Value {
        self.consult(symbol);
        let symbol = self.companion(symbol, true);
        let definition = self.world.definition(symbol);
        let place = Place { file: symbol.file, scope: definition.scope };
        if definition.flags.is_alias
            && let Some(target) = definition.value_type
        {
            self.visit(symbol.file);
            let mut substitution = self.own_substitution(symbol, &args);
            substitution.extend(bound.iter().cloned());
            return self.type_of(place, target).substitute(&substitution);
        }
        match definition.kind {
            kind if kind.is_type() => {
                let args = if args.is_empty() { self.bound_arguments(symbol, bound) } else { args };
                Value::Instance { symbol, args: args.into() }
            }
            SymbolKind::Field if definition.flags.is_variant => Value::Instance { symbol, args: args.into() },
            SymbolKind::Var | SymbolKind::Const | SymbolKind::Field => {
                self.visit(symbol.file);
                definition.value.map_or(Value::Unknown, |value| self.type_of(place, value))
            }
            _ => Value::Unknown,
        }
    }

    /// What a type is made of (`type Handlers []Handler`), followed down to what is no such type itself. `None` for
    /// aliases, which are looked through anyway, and for types with members of their own.
    pub fn underlying(&mut self, value: &Value) -> Option<Value> {
        const MOST_STEPS: usize = 8;
        let mut at = self.made_of(value)?;
        for _ in 0..MOST_STEPS {
            match self.made_of(&at) {
                Some(next) => at = next,
                None => return Some(at),
            }
        }
        None
    }

    fn made_of(&mut self, value: &Value) -> Option<Value> {
        let Value::Instance { symbol, args } = value else { return None };
        self.consult(*symbol);
        let definition = self.world.definition(*symbol);
        let written = definition.value_type.filter(|_| definition.kind.is_type() && !definition.flags.is_alias)?;
        self.visit(symbol.file);
        let substitution = self.own_substitution(*symbol, args);
        Some(self.type_of(Place { file: symbol.file, scope: definition.scope }, written).substitute(&substitution))
    }

    /// What a definition's own type parameters stand for, given arguments in their order.
    pub fn own_substitution(&self, symbol: SymbolRef, args: &[Value]) -> Substitution {
        let parameters = self.world.definition(symbol).type_parameters.len();
        let key = |index| ParameterRef { file: symbol.file, owner: symbol.definition, extension: false, index };
        (0..parameters as u16).map(key).zip(args.iter().cloned()).collect()
    }

    fn bound_arguments(&self, symbol: SymbolRef, bound: &Substitution) -> Vec<Value> {
        let owner = |key: &ParameterRef| key.file == symbol.file && key.owner == symbol.definition && !key.extension;
        let parameters = self.world.definition(symbol).type_parameters.len();
        let mut args = vec![Value::Unknown; parameters];
        for (key, value) in bound.iter().filter(|(key, _)| owner(key)) {
            if let Some(slot) = args.get_mut(key.index as usize) {
                *slot = value.clone();
            }
        }
        if args.iter().all(Value::is_unknown) { Vec::new() } else { args }
    }

    /// Gives explicit generic arguments to what a name denotes, as a value: `Foo[int]`, `f::<T>`.
    pub fn apply_arguments(&mut self, denoted: Value, args: Vec<Value>) -> Value {
        match denoted {
            Value::Symbol { symbol, bound } => {
                let mut bound = (*bound).clone();
                bound.extend(self.own_substitution(symbol, &args));
                Value::Symbol { symbol, bound: bound.into() }
            }
            Value::Foreign { name, .. } => Value::Foreign { name, args: args.into() },
            other => other,
        }
    }
}
