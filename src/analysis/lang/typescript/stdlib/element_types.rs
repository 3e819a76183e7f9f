//! Types that values contain: elements, indexed values, awaited values, signatures, results of calls.

use super::{LISTS, MAPS};
use crate::facts::name_key;
use crate::lang::typescript::builtins::{CALL_SIGNATURE, INDEX_SIGNATURE};
use crate::resolve::eval::Evaluator;
use crate::resolve::rules::UseSite;
use crate::resolve::value::Value;

/// Returns the type of the elements over which a value iterates.
pub fn element(eval: &mut Evaluator<'_>, value: &Value) -> Value {
    match value {
        Value::ExternalInstance { name, args } if LISTS.contains(&&**name) => {
            args.first().cloned().unwrap_or(Value::Unknown)
        }
        Value::ExternalInstance { name, args } if MAPS.contains(&&**name) => Value::Tuple(args.clone()),
        Value::ExternalInstance { name, .. } if &**name == "string" => value.clone(),
        Value::Tuple(parts) => Value::union(parts.iter().cloned()),
        Value::Instance { .. } => match external_base(eval, value) {
            Some(base) => element(eval, &base),
            None => Value::Unknown,
        },
        Value::Parameter(parameter) => {
            let bounds = eval.bounds(*parameter);
            let parts: Vec<Value> = bounds.iter().map(|bound| element(eval, bound)).collect();
            Value::union(parts)
        }
        _ => Value::Unknown,
    }
}

/// Returns the result of indexing a value with a computed key.
pub fn index(eval: &mut Evaluator<'_>, value: &Value) -> Value {
    match value {
        Value::ExternalInstance { name, args } if matches!(&**name, "Record" | "Dictionary") => {
            args.get(1).cloned().unwrap_or(Value::Unknown)
        }
        Value::Object(members) => {
            let signature = members.iter().find(|(key, _)| *key == name_key(INDEX_SIGNATURE));
            match signature {
                Some((_, value)) => value.clone(),
                None => {
                    let values: Vec<Value> = members.iter().map(|(_, value)| eval.read_value(value.clone())).collect();
                    Value::union(values)
                }
            }
        }
        Value::Instance { .. } => {
            let found = signature_of(eval, value, INDEX_SIGNATURE);
            if found.is_unknown() { element(eval, value) } else { found }
        }
        _ => element(eval, value),
    }
}

/// Returns the awaited value of a promise, or any other value itself.
pub fn unwrap(eval: &mut Evaluator<'_>, value: &Value) -> Value {
    match value {
        Value::ExternalInstance { name, args } if matches!(&**name, "Promise" | "PromiseLike") => {
            let inner = args.first().cloned().unwrap_or(Value::Unknown);
            if inner == *value { inner } else { eval.map_alternatives(&inner, unwrap) }
        }
        Value::Instance { .. } => match external_base(eval, value) {
            Some(base @ Value::ExternalInstance { .. }) if is_promise(&base) => eval.follow(|eval| unwrap(eval, &base)),
            _ => value.clone(),
        },
        other => other.clone(),
    }
}

fn is_promise(value: &Value) -> bool {
    matches!(value, Value::ExternalInstance { name, .. } if matches!(&**name, "Promise" | "PromiseLike"))
}

fn external_base(eval: &mut Evaluator<'_>, value: &Value) -> Option<Value> {
    eval.ancestors(value).iter().find(|base| matches!(base, Value::ExternalInstance { .. })).cloned()
}

/// Returns the call, construct or index signature of an instance's type. `name` is one of the names in
/// [`crate::lang::typescript::builtins`].
pub fn signature_of(eval: &mut Evaluator<'_>, value: &Value, name: &str) -> Value {
    for instance in eval.ancestors(value).iter() {
        match instance {
            Value::Instance { symbol, args } => {
                let definition = eval.world.definition(*symbol);
                let Some(signatures) = definition.value_type.filter(|_| !definition.flags.is_alias) else { continue };
                let site = UseSite { file: symbol.file, scope: definition.scope };
                let substitution = eval.own_substitution(*symbol, args);
                if let Value::Object(members) = eval.type_of(site, signatures)
                    && let Some((_, found)) = members.iter().find(|(key, _)| *key == name_key(name))
                {
                    return found.substitute(&substitution);
                }
            }
            Value::Object(members) => {
                if let Some((_, found)) = members.iter().find(|(key, _)| *key == name_key(name)) {
                    return found.clone();
                }
            }
            _ => {}
        }
    }
    Value::Unknown
}

/// Returns the result of calling a value. The arguments are ignored.
pub fn call_result(eval: &mut Evaluator<'_>, function: &Value) -> Value {
    eval.map_alternatives(function, |eval, function| match function {
        Value::Function { result, .. } => (**result).clone(),
        Value::Symbol { symbol, bound } if eval.world.definition(*symbol).kind.is_callable() => {
            eval.result_of(*symbol).substitute(bound)
        }
        Value::Instance { .. } | Value::Object(_) => match signature_of(eval, function, CALL_SIGNATURE) {
            Value::Function { result, .. } => (*result).clone(),
            _ => Value::Unknown,
        },
        _ => Value::Unknown,
    })
}
