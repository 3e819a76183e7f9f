//! Results of calls, and expected types of their arguments.

use std::sync::Arc;

use super::members::Member;
use super::types::RECEIVER_TYPE;
use super::{Evaluator, Query};
use crate::facts::{Expr, ExprId, LAMBDA_RECEIVER, RECEIVER_TYPE_NAME};
use crate::model::DefId;
use crate::resolve::input::FileIndex;
use crate::resolve::rules::{ExternalCallee, UseSite};
use crate::resolve::value::{Substitution, SymbolRef, Value};

impl<'w> Evaluator<'w> {
    /// Returns the result of calling a value.
    pub fn call(&mut self, callee: &Value, site: UseSite, args: &[ExprId], at: u32) -> Value {
        match callee {
            Value::Symbol { symbol, bound } => self.call_symbol(*symbol, bound, site, args, at),
            Value::Instance { symbol, .. } if self.world.is_object(*symbol) => {
                let value = self.assigned_value(*symbol);
                self.follow(|eval| eval.call(&value, site, args, at))
            }
            Value::Instance { .. } | Value::Object(_) => {
                let Some(method) = self.called_member() else {
                    let function = self.call_target(callee);
                    return function
                        .map_or(Value::Unknown, |function| self.follow(|eval| eval.call(&function, site, args, at)));
                };
                match self.members(callee, &method).into_iter().next() {
                    Some(member) => self.result_with(member.symbol, &member.bound, site, args, at),
                    None => Value::Unknown,
                }
            }
            Value::Function { result, .. } => (**result).clone(),
            Value::Parameter(parameter) => {
                let function =
                    self.bounds(*parameter).into_iter().find(|bound| matches!(bound, Value::Function { .. }));
                function.map_or(Value::Unknown, |function| self.call(&function, site, args, at))
            }
            Value::Union(parts) => {
                let parts: Vec<Value> = parts.iter().map(|part| self.call(part, site, args, at)).collect();
                Value::union(parts)
            }
            Value::External { name, args: known } => {
                let args = self.values(site, args, at);
                self.own_rules().external_call(self, ExternalCallee::Named(name, known), &args)
            }
            Value::ExternalMethod { receiver, name } => {
                let args = self.values(site, args, at);
                self.own_rules().external_call(self, ExternalCallee::Method(receiver, name), &args)
            }
            Value::ExternalInstance { .. } => {
                let Some(method) = self.own_rules().traits().call_method else { return Value::Unknown };
                let args = self.values(site, args, at);
                self.own_rules().external_call(self, ExternalCallee::Method(callee, method), &args)
            }
            _ => Value::Unknown,
        }
    }

    /// Returns the function that calling an instance runs when no method has the language's fixed name: a call
    /// signature, or the function type behind the instance's type.
    fn call_target(&mut self, value: &Value) -> Option<Value> {
        let callable = self.own_rules().callable(self, value);
        if callable.is_unknown() { self.underlying(value) } else { Some(callable) }
    }

    pub(super) fn values(&mut self, site: UseSite, args: &[ExprId], at: u32) -> Vec<Value> {
        args.iter().map(|arg| self.value_at(site, *arg, at)).collect()
    }

    fn call_symbol(
        &mut self,
        symbol: SymbolRef,
        bound: &Substitution,
        site: UseSite,
        args: &[ExprId],
        at: u32,
    ) -> Value {
        let definition = self.world.definition(symbol);
        if definition.kind.is_callable() {
            let result = self.result_with(symbol, bound, site, args, at);
            let is_made = result.is_unknown() && self.world.makes_instances(symbol);
            return if is_made { Value::Instance { symbol, args: Arc::new([]) } } else { result };
        }
        if definition.flags.is_variant {
            return self.read(symbol).substitute(bound);
        }
        if definition.kind.is_type() {
            let mut bound = bound.clone();
            if !definition.type_parameters.is_empty() {
                self.infer_from_constructor(symbol, &mut bound, site, args, at);
            }
            return self.instantiate(&Value::Symbol { symbol, bound: bound.into() }, Vec::new());
        }
        Value::Unknown
    }

    fn infer_from_constructor(
        &mut self,
        symbol: SymbolRef,
        bound: &mut Substitution,
        site: UseSite,
        args: &[ExprId],
        at: u32,
    ) {
        if let Some(constructor) = self.constructor(symbol) {
            self.infer(constructor, bound, site, args, at);
        }
    }

    /// Returns the constructor of a type of the repository.
    fn constructor(&mut self, symbol: SymbolRef) -> Option<SymbolRef> {
        let name = self.own_rules().traits().constructor?;
        let own = self.own_instance(symbol);
        self.members(&own, name).into_iter().next().map(|member| member.symbol)
    }

    /// Returns the result of a function, its type parameters substituted by what the receiver, explicit arguments and
    /// argument values determine.
    fn result_with(
        &mut self,
        symbol: SymbolRef,
        bound: &Substitution,
        site: UseSite,
        args: &[ExprId],
        at: u32,
    ) -> Value {
        let result = self.result_of(symbol);
        if result.is_unknown() {
            return result;
        }
        let mut bound = bound.clone();
        if !self.world.definition(symbol).type_parameters.is_empty() {
            self.infer(symbol, &mut bound, site, args, at);
        }
        result.substitute(&bound)
    }

    /// Infers the type parameters of a function from the values of its arguments.
    fn infer(&mut self, symbol: SymbolRef, bound: &mut Substitution, site: UseSite, args: &[ExprId], at: u32) {
        let definition = self.world.definition(symbol);
        let own = UseSite { file: symbol.file, scope: definition.scope };
        for (parameter, arg) in definition.parameters.iter().zip(args) {
            let Some(expr) = parameter.value_type else { continue };
            let pattern = self.type_of(own, expr);
            let actual = self.value_at(site, *arg, at);
            let actual = if self.expects_function(&pattern) { self.as_function(actual) } else { actual };
            pattern.unify(&actual, bound);
            self.infer_from_bounds(&pattern, &actual, bound);
        }
    }

    /// Returns whether a parameter's type is a function type, or a type parameter bounded by one.
    fn expects_function(&mut self, pattern: &Value) -> bool {
        match pattern {
            Value::Function { .. } => true,
            Value::Union(parts) => parts.iter().any(|part| matches!(part, Value::Function { .. })),
            Value::Parameter(parameter) => {
                self.bounds(*parameter).iter().any(|bound| matches!(bound, Value::Function { .. }))
            }
            _ => false,
        }
    }

    /// Returns the function type of a function or class that is passed as a value; other values unchanged.
    pub fn as_function(&mut self, value: Value) -> Value {
        let Value::Symbol { symbol, bound } = &value else { return value };
        self.consult(*symbol);
        let definition = self.world.definition(*symbol);
        let result = if definition.kind.is_callable() {
            self.result_of(*symbol).substitute(bound)
        } else if definition.kind.is_type() {
            self.instantiate(&value, Vec::new())
        } else {
            return value;
        };
        let own = UseSite { file: symbol.file, scope: definition.scope };
        let types = definition.parameters.iter().map(|parameter| parameter.value_type);
        let params: Vec<Value> =
            types.map(|expr| expr.map_or(Value::Unknown, |expr| self.type_of(own, expr).substitute(bound))).collect();
        Value::Function { params: params.into(), result: result.into() }
    }

    /// Unifies the bounds of a type parameter: `F: Fn(A) -> R` with a lambda binds `R`; `S ~[]E` with a slice binds
    /// `E`.
    fn infer_from_bounds(&mut self, pattern: &Value, actual: &Value, bound: &mut Substitution) {
        if let (Value::Parameter(parameter), false) = (pattern, actual.is_unknown()) {
            for value in self.bounds(*parameter) {
                value.unify(actual, bound);
            }
        }
    }

    /// Returns the result of a definition, without any substitution.
    pub fn result_of(&mut self, symbol: SymbolRef) -> Value {
        self.query(Query::Result(symbol), |eval| {
            eval.consult(symbol);
            let definition = eval.world.definition(symbol);
            let site = UseSite { file: symbol.file, scope: definition.scope };
            let declared = definition.result.is_some();
            let result = match definition.result {
                Some(result) => {
                    let before = std::mem::replace(&mut eval.self_type_open, true);
                    let value = eval.type_of(site, result);
                    eval.self_type_open = before;
                    value
                }
                None => {
                    let mut parts = eval.overload_results(symbol);
                    let undeclared = if parts.is_empty() { &definition.returns[..] } else { &[] };
                    for value in undeclared {
                        parts.push(eval.returned(site, *value, definition.span.end_byte));
                    }
                    Value::union(parts)
                }
            };
            if definition.flags.is_async { eval.rules(symbol.file).awaitable(result, declared) } else { result }
        })
    }

    /// Returns the result of a function that declares none. A result of the enclosing type that derives from the
    /// receiver (`return self`, `return copy(self)`, `return super().clone()`) becomes the receiver's own type.
    fn returned(&mut self, site: UseSite, expr: ExprId, at: u32) -> Value {
        let value = self.value_at(site, expr, at);
        if !self.derives_from_receiver(site.file, expr, 0) {
            return value;
        }
        let own = self.receiver(site);
        self.map_alternatives(&value, |_, part| match (part, &own) {
            (Value::Instance { symbol: left, .. }, Value::Instance { symbol: right, .. }) if left == right => {
                Value::Parameter(RECEIVER_TYPE)
            }
            _ => part.clone(),
        })
    }

    fn derives_from_receiver(&self, file: FileIndex, expr: ExprId, depth: u32) -> bool {
        const MAX_STEPS: u32 = 12;
        if depth > MAX_STEPS {
            return false;
        }
        let next = |inner: ExprId| self.derives_from_receiver(file, inner, depth + 1);
        match self.expr(file, expr) {
            Expr::Receiver | Expr::ReceiverType | Expr::Parent => true,
            Expr::Member { base, .. } => next(*base),
            Expr::Call { callee, args } => next(*callee) || args.first().is_some_and(|first| next(*first)),
            Expr::Union(parts) => parts.iter().all(|part| next(*part)),
            _ => false,
        }
    }

    /// Returns the declared results of the overload signatures directly before an implementation.
    fn overload_results(&mut self, symbol: SymbolRef) -> Vec<Value> {
        let outline = self.world.outline(symbol.file);
        let definition = self.world.definition(symbol);
        if definition.flags.is_abstract {
            return Vec::new();
        }
        let before = outline.definitions[..symbol.definition.index()].iter().enumerate().rev();
        let overloads = before.take_while(|(_, other)| {
            other.flags.is_abstract && other.name == definition.name && other.container == definition.container
        });
        let numbers: Vec<DefId> = overloads.map(|(number, _)| DefId::from_index(number)).collect();
        numbers.into_iter().map(|number| self.result_of(SymbolRef { file: symbol.file, definition: number })).collect()
    }

    /// Returns the type of the `parameter`-th parameter of the lambda that is the `argument`-th argument of `call`.
    pub fn lambda_parameter(&mut self, site: UseSite, call: ExprId, argument: u16, parameter: u16, at: u32) -> Value {
        let Expr::Call { callee, args } = self.expr(site.file, call) else { return Value::Unknown };
        let callee = self.value_at(site, *callee, at);
        self.map_alternatives(&callee, |eval, callee| match callee {
            Value::Symbol { symbol, bound } => {
                let expected = eval.expected_argument(*symbol, bound, site, args, argument, at);
                let known = eval.parameter_of(&expected, parameter);
                // Behind the list of arguments, a lambda is that of the last parameter.
                let last = eval.world.definition(*symbol).parameters.len().saturating_sub(1) as u16;
                if !known.is_unknown() || usize::from(argument) + 1 != args.len() || last <= argument {
                    return known;
                }
                let expected = eval.expected_argument(*symbol, bound, site, &args[..usize::from(argument)], last, at);
                eval.parameter_of(&expected, parameter)
            }
            Value::Function { params, .. } => {
                let expected = params.get(argument as usize).cloned().unwrap_or(Value::Unknown);
                eval.parameter_of(&expected, parameter)
            }
            Value::Instance { .. } | Value::Object(_) => match eval.call_target(callee) {
                Some(Value::Function { params, .. }) => {
                    let expected = params.get(argument as usize).cloned().unwrap_or(Value::Unknown);
                    eval.parameter_of(&expected, parameter)
                }
                _ => Value::Unknown,
            },
            Value::External { name, args: known } => {
                let values = eval.other_values(site, args, argument, at);
                eval.own_rules().external_lambda(eval, ExternalCallee::Named(name, known), &values, argument, parameter)
            }
            Value::ExternalMethod { receiver, name } => {
                let values = eval.other_values(site, args, argument, at);
                eval.own_rules().external_lambda(
                    eval,
                    ExternalCallee::Method(receiver, name),
                    &values,
                    argument,
                    parameter,
                )
            }
            _ => Value::Unknown,
        })
    }

    /// Returns the type that the callee of `call` expects for its `argument`-th argument.
    pub fn expected_of(&mut self, site: UseSite, call: ExprId, argument: u16, at: u32) -> Value {
        let Expr::Call { callee, args } = self.expr(site.file, call) else { return Value::Unknown };
        let callee = match self.overload(site, *callee, args, at) {
            Some(Member { symbol, bound }) => Value::Symbol { symbol, bound: bound.into() },
            None => self.value_at(site, *callee, at),
        };
        self.map_alternatives(&callee, |eval, callee| match callee {
            Value::Symbol { symbol, bound } => eval.expected_argument(*symbol, bound, site, args, argument, at),
            Value::Function { params, .. } => params.get(argument as usize).cloned().unwrap_or(Value::Unknown),
            Value::Instance { .. } | Value::Object(_) => match eval.call_target(callee) {
                Some(Value::Function { params, .. }) => {
                    params.get(argument as usize).cloned().unwrap_or(Value::Unknown)
                }
                _ => Value::Unknown,
            },
            Value::ExternalMethod { receiver, name } => {
                eval.own_rules().external_argument(ExternalCallee::Method(receiver, name), argument)
            }
            _ => Value::Unknown,
        })
    }

    /// Evaluates all arguments except the lambda, which is being evaluated.
    fn other_values(&mut self, site: UseSite, args: &[ExprId], argument: u16, at: u32) -> Vec<Value> {
        let value = |(number, arg): (usize, &ExprId)| {
            if number == argument as usize { Value::Unknown } else { self.value_at(site, *arg, at) }
        };
        args.iter().enumerate().map(value).collect()
    }

    fn expected_argument(
        &mut self,
        symbol: SymbolRef,
        bound: &Substitution,
        site: UseSite,
        args: &[ExprId],
        argument: u16,
        at: u32,
    ) -> Value {
        let mut symbol = symbol;
        if self.world.definition(symbol).kind.is_type() {
            let Some(constructor) = self.constructor(symbol) else { return Value::Unknown };
            symbol = constructor;
        }
        self.consult(symbol);
        let definition = self.world.definition(symbol);
        let Some(parameter) = definition.parameters.get(argument as usize) else { return Value::Unknown };
        let Some(expr) = parameter.value_type else { return Value::Unknown };
        let mut bound = bound.clone();
        if !definition.type_parameters.is_empty() {
            self.infer(symbol, &mut bound, site, &args[..(argument as usize).min(args.len())], at);
        }
        let expected = self.type_of(UseSite { file: symbol.file, scope: definition.scope }, expr);
        match expected {
            // The relevant type parameters are those of the bound, so they are substituted there.
            Value::Parameter(parameter) => {
                let bounds = self.bounds(parameter);
                Value::union(bounds.into_iter().map(|value| value.substitute(&bound)).collect::<Vec<_>>())
            }
            other => other.substitute(&bound),
        }
    }

    /// Returns the type of the `parameter`-th parameter of a callable value.
    pub fn parameter_of(&mut self, function: &Value, parameter: u16) -> Value {
        self.map_alternatives(function, |eval, function| match function {
            Value::Symbol { symbol, bound } if eval.world.definition(*symbol).kind.is_callable() => {
                let definition = eval.world.definition(*symbol);
                let site = UseSite { file: symbol.file, scope: definition.scope };
                let expr = definition.parameters.get(parameter as usize).and_then(|parameter| parameter.value_type);
                expr.map_or(Value::Unknown, |expr| eval.type_of(site, expr).substitute(bound))
            }
            Value::Function { params, .. } => parameter_of_type(params, parameter),
            Value::Instance { .. } | Value::Object(_) => {
                let Some(method) = eval.called_member() else {
                    let function = eval.call_target(function);
                    return function.map_or(Value::Unknown, |function| {
                        eval.follow(|eval| eval.parameter_of(&function, parameter))
                    });
                };
                let Some(member) = eval.members(function, &method).into_iter().next() else { return Value::Unknown };
                let definition = eval.world.definition(member.symbol);
                let site = UseSite { file: member.symbol.file, scope: definition.scope };
                let expr = definition.parameters.get(parameter as usize).and_then(|parameter| parameter.value_type);
                expr.map_or(Value::Unknown, |expr| eval.type_of(site, expr).substitute(&member.bound))
            }
            Value::ExternalInstance { .. } => eval.own_rules().external_parameter(function, parameter),
            _ => Value::Unknown,
        })
    }
}

/// Returns a parameter of a function type, or the receiver that it gives a lambda.
fn parameter_of_type(params: &[Value], parameter: u16) -> Value {
    let is_receiver =
        |param: &&Value| matches!(param, Value::ExternalInstance { name, .. } if &**name == RECEIVER_TYPE_NAME);
    match params.last().filter(is_receiver) {
        Some(receiver) if parameter == LAMBDA_RECEIVER => receiver.argument(0),
        receiver => {
            let own = &params[..params.len() - usize::from(receiver.is_some())];
            own.get(usize::from(parameter)).cloned().unwrap_or_default()
        }
    }
}
