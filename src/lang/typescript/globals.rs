//! What JavaScript's own functions, and the most common ones of React, give back.

use super::library::{element, index, list, named, promise, result, unwrap};
use crate::facts::name_key;
use crate::resolve::eval::Evaluator;
use crate::resolve::value::Value;

/// What calling a global function gives; `known` are its explicit type arguments.
pub fn function(eval: &mut Evaluator<'_>, name: &str, known: &[Value], args: &[Value]) -> Value {
    let first = args.first().cloned().unwrap_or(Value::Unknown);
    let given = known.first().cloned();
    match name {
        "Promise" => promise(given.unwrap_or(Value::Unknown)),
        "Promise.resolve" => promise(given.unwrap_or(first)),
        "Promise.all" | "Promise.allSettled" => promise(all(eval, &first)),
        "Promise.race" | "Promise.any" => {
            let item = element(eval, &first);
            promise(eval.map_alternatives(&item, unwrap))
        }
        "Array.from" => match args.get(1) {
            Some(mapped) => list(result(eval, mapped)),
            None => list(eval.map_alternatives(&first, element)),
        },
        "Array.of" => list(Value::union(args.iter().cloned())),
        "Array" | "Set" | "WeakSet" => {
            let item = given.unwrap_or_else(|| eval.map_alternatives(&first, element));
            Value::external_instance(name, vec![item])
        }
        "Map" | "WeakMap" => {
            if known.is_empty() {
                let pair = eval.map_alternatives(&first, element);
                let parts = if let Value::Tuple(parts) = &pair { parts.to_vec() } else { Vec::new() };
                Value::external_instance(name, parts)
            } else {
                Value::external_instance(name, known.to_vec())
            }
        }
        "Object.keys" | "Object.getOwnPropertyNames" => list(named("string")),
        "Object.values" => list(eval.map_alternatives(&first, index)),
        "Object.entries" => {
            let value = eval.map_alternatives(&first, index);
            list(Value::Tuple(vec![named("string"), value].into()))
        }
        "Object.assign" => Value::union(args.iter().cloned()),
        "Object.freeze" | "Object.seal" | "structuredClone" | "Object.create" => first,
        "Object.fromEntries" => {
            let value = match eval.map_alternatives(&first, element) {
                Value::Tuple(parts) => parts.get(1).cloned().unwrap_or(Value::Unknown),
                _ => Value::Unknown,
            };
            Value::external_instance("Record", vec![named("string"), value])
        }
        "String" | "String.raw" | "JSON.stringify" | "encodeURIComponent" | "decodeURIComponent" => named("string"),
        "Number" | "parseInt" | "parseFloat" | "Date.now" | "performance.now" => named("number"),
        "Boolean" | "Array.isArray" => named("boolean"),
        "WeakRef" => Value::external_instance("WeakRef", vec![given.unwrap_or(first)]),
        _ => hook(eval, name, given, first, args).unwrap_or_else(|| constructed(name, known)),
    }
}

/// `new Thing<A>()` of a global class.
fn constructed(name: &str, known: &[Value]) -> Value {
    let last = name.rsplit('.').next().unwrap_or(name);
    if last.starts_with(|first: char| first.is_uppercase()) {
        return Value::external_instance(name, known.to_vec());
    }
    Value::Unknown
}

/// Functions of React through which values pass.
fn hook(eval: &mut Evaluator<'_>, name: &str, given: Option<Value>, first: Value, args: &[Value]) -> Option<Value> {
    let name = name.strip_prefix("react.").or_else(|| name.strip_prefix("React."))?;
    Some(match name {
        "useState" => {
            let made = result(eval, &first);
            let state = given.unwrap_or(if made.is_unknown() { first } else { made });
            Value::Tuple(vec![state, Value::Unknown].into())
        }
        "useRef" | "createRef" => Value::Object(vec![(name_key("current"), given.unwrap_or(first))].into()),
        "useMemo" => given.unwrap_or_else(|| result(eval, &first)),
        "useCallback" | "memo" | "forwardRef" | "cache" | "useDeferredValue" => first,
        "useReducer" => Value::Tuple(vec![args.get(1).cloned().unwrap_or(Value::Unknown), Value::Unknown].into()),
        "createContext" => Value::external_instance("react.Context", vec![given.unwrap_or(first)]),
        "useContext" | "use" => match first {
            Value::ExternalInstance { args, .. } => args.first().cloned().unwrap_or(Value::Unknown),
            _ => Value::Unknown,
        },
        _ => return None,
    })
}

/// The awaited parts of what `Promise.all` takes.
fn all(eval: &mut Evaluator<'_>, value: &Value) -> Value {
    match value {
        Value::Tuple(parts) => {
            let mut awaited = Vec::new();
            for part in parts.iter() {
                awaited.push(eval.map_alternatives(part, unwrap));
            }
            Value::Tuple(awaited.into())
        }
        other => {
            let item = eval.map_alternatives(other, element);
            list(eval.map_alternatives(&item, unwrap))
        }
    }
}
