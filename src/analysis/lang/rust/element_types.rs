//! Types that values contain: elements, contents of wrappers, targets of `Index` and `Deref`.

use std::sync::Arc;

use super::library::{is_cow, is_map, last_segment};
use crate::facts::name_key;
use crate::resolve::eval::Evaluator;
use crate::resolve::value::Value;

/// Returns the type of the elements over which a value iterates.
pub fn element(eval: &mut Evaluator<'_>, value: &Value) -> Value {
    match value {
        Value::Instance { .. } | Value::Parameter(_) => declared_element(eval, value),
        _ if is_map(value) => Value::Tuple(Arc::new([value.argument(0), value.argument(1)])),
        _ if is_cow(value) => value.argument(0).argument(0),
        _ => value.argument(0),
    }
}

/// Returns the element type of a type of the repository: the item of its `next`, or the elements of the result of its
/// `into_iter`.
pub fn declared_element(eval: &mut Evaluator<'_>, value: &Value) -> Value {
    for name in ["next", "into_iter", "iter"] {
        let Some(found) = eval.members(value, name).into_iter().next() else { continue };
        let result = eval.result_of(found.symbol).substitute(&found.bound);
        let inner = if name == "next" { unwrapped(&result) } else { element_unless_same(eval, &result, value) };
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

fn element_unless_same(eval: &mut Evaluator<'_>, result: &Value, value: &Value) -> Value {
    if result == value { Value::Unknown } else { eval.follow(|eval| element(eval, result)) }
}

/// Returns the result of indexing a value.
pub fn index_result(eval: &mut Evaluator<'_>, value: &Value) -> Value {
    match value {
        _ if is_map(value) => value.argument(1),
        _ if is_cow(value) => value.argument(0).argument(0),
        Value::Instance { .. } => match eval.members(value, "index").into_iter().next() {
            Some(found) => eval.result_of(found.symbol).substitute(&found.bound),
            None => match deref_target(eval, value) {
                Some(inner) if inner != *value => eval.follow(|eval| index_result(eval, &inner)),
                _ => Value::Unknown,
            },
        },
        _ => value.argument(0),
    }
}

/// Returns the content of a value that `?`, `.await` or `Some(…)` unwraps.
pub fn unwrapped(value: &Value) -> Value {
    match value {
        Value::ExternalInstance { name, args } => match last_segment(name) {
            "Option" | "Result" | "Future" | "Poll" | "JoinHandle" | "ControlFlow" => {
                args.first().cloned().unwrap_or_default()
            }
            _ => Value::Unknown,
        },
        _ => Value::Unknown,
    }
}

/// Returns the target of a value's `Deref` implementation.
pub fn deref_target(eval: &mut Evaluator<'_>, value: &Value) -> Option<Value> {
    if !matches!(value, Value::Instance { .. }) {
        return None;
    }
    let (key, target_key) = (name_key("deref"), name_key("Target"));
    eval.record_lookup(key);
    eval.record_lookup(target_key);
    let world = eval.world;
    let Value::Instance { symbol, .. } = value else { return None };
    let block = *world.extensions_with(*symbol, key).first()?;
    let found = *world.extension_members(block, key).first()?;
    let bound = eval.extension_substitution(block, value);
    let target = world.extension_members(block, target_key).first().copied();
    let result = match target {
        Some(alias) => eval.instantiate(&Value::symbol(alias), Vec::new()),
        None => eval.result_of(found),
    };
    Some(result.substitute(&bound))
}
