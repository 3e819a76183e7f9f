//! Expressions read as values.

use super::{Evaluator, Question};
use crate::facts::{Expr, ExprId};
use crate::resolve::modules::ModuleId;
use crate::resolve::rules::Place;
use crate::resolve::value::{SymbolRef, Value, Values};

impl<'w> Evaluator<'w> {
    /// What an expression's value is, evaluated at byte `at` of `place`.
    pub fn value_at(&mut self, place: Place, expr: ExprId, at: u32) -> Value {
        self.answer(Question::Value(place.file, expr), |eval| eval.evaluate(place, expr, at))
    }

    fn evaluate(&mut self, place: Place, id: ExprId, at: u32) -> Value {
        match self.expr(place.file, id) {
            Expr::Unknown => Value::Unknown,
            Expr::Name(_) | Expr::Member { .. } | Expr::Root(_) => {
                let denoted = self.denote(place, id, at);
                self.read_value(denoted)
            }
            Expr::Call { callee, args } => {
                let callee = self.value_at(place, *callee, at);
                self.call(&callee, place, args, at)
            }
            Expr::Instance(inner) => self.type_of(place, *inner),
            Expr::Apply { base, args } => {
                let base = self.denote(place, *base, at);
                if self.rules(place.file).arguments_may_index() && !self.takes_arguments(&base) {
                    let value = self.read_value(base);
                    return self.map_alternatives(&value, |eval, part| eval.own_rules().index(eval, part));
                }
                let args: Vec<Value> = args.iter().map(|arg| self.type_of(place, *arg)).collect();
                self.apply_arguments(base, args)
            }
            Expr::Index(inner) => {
                let value = self.value_at(place, *inner, at);
                self.map_alternatives(&value, |eval, part| eval.own_rules().index(eval, part))
            }
            Expr::Element(inner) => {
                let value = self.value_at(place, *inner, at);
                self.map_alternatives(&value, |eval, part| eval.own_rules().element(eval, part))
            }
            Expr::Item(inner, index) => {
                let value = self.value_at(place, *inner, at);
                self.map_alternatives(&value, |eval, part| match part {
                    Value::Tuple(parts) => parts.get(*index as usize).cloned().unwrap_or(Value::Unknown),
                    other => eval.own_rules().item(eval, other, *index as usize),
                })
            }
            Expr::Unwrap(inner) => {
                let value = self.value_at(place, *inner, at);
                self.map_alternatives(&value, |eval, part| eval.own_rules().unwrap(eval, part))
            }
            Expr::Receiver => self.receiver(place),
            Expr::ReceiverType => match self.receiver(place) {
                Value::Instance { symbol, .. } => Value::symbol(symbol),
                other => other,
            },
            Expr::ParentOf(class) => match self.type_of(place, *class) {
                Value::Instance { symbol, .. } => Value::Parent { symbol },
                _ => Value::Unknown,
            },
            Expr::Parent => match self.receiver(place) {
                Value::Instance { symbol, .. } => Value::Parent { symbol },
                _ => Value::Unknown,
            },
            Expr::Union(parts) => {
                Value::union(parts.iter().map(|part| self.value_at(place, *part, at)).collect::<Vec<_>>())
            }
            Expr::Tuple(parts) => Value::Tuple(parts.iter().map(|part| self.value_at(place, *part, at)).collect()),
            Expr::Function { params, result } => {
                let params: Values = params.iter().map(|param| self.type_of(place, *param)).collect();
                let result = result.map_or(Value::Unknown, |result| self.value_at(place, result, at));
                Value::Function { params, result: result.into() }
            }
            Expr::LambdaParameter { call, argument, parameter } => {
                self.lambda_parameter(place, *call, *argument, *parameter, at)
            }
            Expr::ArgumentOf { call, argument } => self.expected_of(place, *call, *argument, at),
            Expr::ParameterOf { function, parameter } => {
                let function = self.value_at(place, *function, at);
                self.parameter_of(&function, *parameter)
            }
            Expr::Definition(_) => {
                let denoted = self.denote(place, id, at);
                self.read_value(denoted)
            }
            Expr::TypeOf(inner) => self.value_at(place, *inner, at),
            Expr::Builtin { name, args } => {
                let args = args.iter().map(|arg| self.value_at(place, *arg, at)).collect();
                let outline = self.world.outline(place.file);
                self.rules(place.file).apply_in(self, outline.names.get(*name), args)
            }
            Expr::Object(members) => {
                let outline = self.world.outline(place.file);
                let entry = |eval: &mut Self, (name, value): &(_, ExprId)| {
                    (outline.names.key(*name), eval.value_at(place, *value, at))
                };
                Value::Object(members.iter().map(|member| entry(self, member)).collect())
            }
        }
    }

    /// True for what generic arguments may be given to: functions and types.
    fn takes_arguments(&self, denoted: &Value) -> bool {
        match denoted {
            Value::Symbol { symbol, .. } => {
                let kind = self.world.definition(*symbol).kind;
                kind.is_callable() || kind.is_type()
            }
            Value::Foreign { .. } | Value::Unknown => true,
            _ => false,
        }
    }

    /// What a name or path denotes as such, without reading it.
    pub fn denote(&mut self, place: Place, id: ExprId, at: u32) -> Value {
        let outline = self.world.outline(place.file);
        match self.expr(place.file, id) {
            Expr::Name(name) => {
                // Where a module shares its name with something else, a path means the module: see `holder`.
                let mut module = None;
                for found in self.lookup(place, *name, at) {
                    match self.denoted(found) {
                        Value::Unknown => {}
                        Value::Module(id) => module = module.or(Some(Value::Module(id))),
                        value => return value,
                    }
                }
                module.or_else(|| self.unbound(place, *name)).unwrap_or(Value::Unknown)
            }
            Expr::Member { base, name } => {
                let base = self.holder(place, *base, at);
                self.member_denoted(&base, outline.names.get(*name))
            }
            Expr::Root(name) => {
                self.visit(place.file);
                self.rules(place.file).root(self, place, outline.names.get(*name))
            }
            Expr::Apply { base, .. } => self.denote(place, *base, at),
            Expr::Definition(id) => self.denoted_symbol(SymbolRef { file: place.file, definition: id.0 }),
            _ => self.value_at(place, id, at),
        }
    }

    /// The value whose member is taken. A function has none, so where a module has the same name, the module is meant.
    pub fn holder(&mut self, place: Place, base: ExprId, at: u32) -> Value {
        let value = self.value_at(place, base, at);
        match &value {
            Value::Symbol { symbol, .. } if self.world.definition(*symbol).kind.is_callable() => {
                self.module_denoted(place, base, at).map_or(value, Value::Module)
            }
            _ => value,
        }
    }

    fn module_denoted(&mut self, place: Place, id: ExprId, at: u32) -> Option<ModuleId> {
        match self.expr(place.file, id) {
            Expr::Name(name) => self.lookup(place, *name, at).into_iter().find_map(|found| match self.denoted(found) {
                Value::Module(module) => Some(module),
                _ => None,
            }),
            Expr::Member { base, name } => {
                let Value::Module(outer) = self.holder(place, *base, at) else { return None };
                let key = self.world.outline(place.file).names.key(*name);
                self.world.modules.get(outer).children.get(&key).copied()
            }
            _ => None,
        }
    }

    /// What reading a denoted thing gives.
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

    /// Applies `compute` to each alternative of a value.
    pub fn map_alternatives(&mut self, value: &Value, mut compute: impl FnMut(&mut Self, &Value) -> Value) -> Value {
        let mut parts = Vec::new();
        for part in value.alternatives() {
            parts.push(compute(self, part));
        }
        Value::union(parts)
    }
}
