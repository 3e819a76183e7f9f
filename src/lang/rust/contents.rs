//! What values hold: elements, insides of wrappers, what they dereference to.

use std::sync::Arc;

use super::family::{Family, family};
use super::library::short;
use crate::facts::name_key;
use crate::resolve::eval::Evaluator;
use crate::resolve::value::Value;

/// What iterating over a value yields.
pub fn element(eval: &mut Evaluator<'_>, value: &Value) -> Value {
    match family(value) {
        Family::Map => Value::Tuple(Arc::new([value.argument(0), value.argument(1)])),
        Family::Other => match value {
            Value::Instance { .. } | Value::Parameter(_) => own_element(eval, value),
            other => other.argument(0),
        },
        _ => value.argument(0),
    }
}

/// The elements of a type of the repository: what its `next` gives, or the elements of what its `into_iter` gives.
pub fn own_element(eval: &mut Evaluator<'_>, value: &Value) -> Value {
    for name in ["next", "into_iter", "iter"] {
        let Some(found) = eval.members(value, name).into_iter().next() else { continue };
        let result = eval.result_of(found.symbol).substitute(&found.bound);
        let inner = if name == "next" { unwrapped(&result) } else { element_unless(eval, &result, value) };
        if !inner.is_unknown() {
            return inner;
        }
    }
    match value {
        Value::Parameter(parameter) => {
            let bounds = eval.bounds(*parameter);
            let known = bounds.iter().find(|bound| matches!(bound, Value::ExternalInstance { .. }));
            known.map_or(Value::Unknown, |bound| bound.argument(0))
        }
        _ => Value::Unknown,
    }
}

fn element_unless(eval: &mut Evaluator<'_>, result: &Value, value: &Value) -> Value {
    if result == value { Value::Unknown } else { eval.follow(|eval| element(eval, result)) }
}

/// What indexing a value gives.
pub fn indexed(eval: &mut Evaluator<'_>, value: &Value) -> Value {
    match (family(value), value) {
        (Family::Map, _) => value.argument(1),
        (_, Value::Instance { .. }) => match eval.members(value, "index").into_iter().next() {
            Some(found) => eval.result_of(found.symbol).substitute(&found.bound),
            None => match dereferenced(eval, value) {
                Some(inner) if inner != *value => eval.follow(|eval| indexed(eval, &inner)),
                _ => Value::Unknown,
            },
        },
        _ => value.argument(0),
    }
}

/// What `?`, `.await` or `Some(…)` takes out of a value.
pub fn unwrapped(value: &Value) -> Value {
    match value {
        Value::ExternalInstance { name, args } => match short(name) {
            "Option" | "Result" | "Future" | "Poll" | "JoinHandle" | "ControlFlow" => {
                args.first().cloned().unwrap_or(Value::Unknown)
            }
            _ => Value::Unknown,
        },
        _ => Value::Unknown,
    }
}

/// What a value's `Deref` leads to.
pub fn dereferenced(eval: &mut Evaluator<'_>, value: &Value) -> Option<Value> {
    if !matches!(value, Value::Instance { .. }) {
        return None;
    }
    let key = name_key("deref");
    let world = eval.world;
    let Value::Instance { symbol, .. } = value else { return None };
    let blocks = world.extensions().of_type.get(symbol)?;
    let (block, found) =
        blocks.iter().find_map(|block| Some((*block, *world.extension_members(*block, key).first()?)))?;
    let bound = eval.extension_substitution(block, value);
    let target = world.extension_members(block, name_key("Target")).first().copied();
    let result = match target {
        Some(alias) => eval.instantiate(&Value::symbol(alias), Vec::new()),
        None => eval.result_of(found),
    };
    Some(result.substitute(&bound))
}
