//! Results of global functions of JavaScript and of React's hooks.

use super::element_types::{call_result, element, index, unwrap};
use super::{builtin, list, promise};
use crate::facts::name_key;
use crate::resolve::eval::Evaluator;
use crate::resolve::value::Value;

/// Returns the result of calling a global function. `known` are its explicit type arguments.
pub fn global_call(eval: &mut Evaluator<'_>, name: &str, type_args: &[Value], args: &[Value]) -> Value {
    let first = args.first().cloned().unwrap_or(Value::Unknown);
    let type_arg = type_args.first().cloned();
    match name {
        "Promise" => promise(type_arg.unwrap_or(Value::Unknown)),
        "Promise.resolve" => promise(type_arg.unwrap_or(first)),
        "Promise.all" | "Promise.allSettled" => promise(awaited_parts(eval, &first)),
        "Promise.race" | "Promise.any" => {
            let item = element(eval, &first);
            promise(eval.map_alternatives(&item, unwrap))
        }
        "Array.from" => match args.get(1) {
            Some(mapped) => list(call_result(eval, mapped)),
            None => list(eval.map_alternatives(&first, element)),
        },
        "Array.of" => list(Value::union(args.iter().cloned())),
        "Array" | "Set" | "WeakSet" => {
            let item = type_arg.unwrap_or_else(|| eval.map_alternatives(&first, element));
            Value::external_instance(name, vec![item])
        }
        "Map" | "WeakMap" => {
            if type_args.is_empty() {
                let pair = eval.map_alternatives(&first, element);
                let parts = if let Value::Tuple(parts) = &pair { parts.to_vec() } else { Vec::new() };
                Value::external_instance(name, parts)
            } else {
                Value::external_instance(name, type_args.to_vec())
            }
        }
        "Object.keys" | "Object.getOwnPropertyNames" => list(builtin("string")),
        "Object.values" => list(eval.map_alternatives(&first, index)),
        "Object.entries" => {
            let value = eval.map_alternatives(&first, index);
            list(Value::Tuple(vec![builtin("string"), value].into()))
        }
        "Object.assign" => Value::union(args.iter().cloned()),
        "Object.freeze" | "Object.seal" | "structuredClone" | "Object.create" => first,
        "Object.fromEntries" => {
            let value = match eval.map_alternatives(&first, element) {
                Value::Tuple(parts) => parts.get(1).cloned().unwrap_or(Value::Unknown),
                _ => Value::Unknown,
            };
            Value::external_instance("Record", vec![builtin("string"), value])
        }
        "String" | "String.raw" | "JSON.stringify" | "encodeURIComponent" | "decodeURIComponent" => builtin("string"),
        "Number" | "parseInt" | "parseFloat" | "Date.now" | "performance.now" => builtin("number"),
        "Boolean" | "Array.isArray" => builtin("boolean"),
        "WeakRef" => Value::external_instance("WeakRef", vec![type_arg.unwrap_or(first)]),
        "pinia.defineStore" => args.last().map_or(Value::Unknown, |options| store(eval, options)),
        "pinia.storeToRefs" => first,
        _ => react_call(eval, name, type_arg, first, args).unwrap_or_else(|| global_instance(name, type_args)),
    }
}

/// Returns the function of a store of Pinia: it returns what its setup function does, or an object with its actions, its
/// getters and what is in its state.
fn store(eval: &mut Evaluator<'_>, options: &Value) -> Value {
    let result = match options {
        Value::Object(options) => {
            let mut members = Vec::new();
            for (key, option) in options.iter() {
                let option = if *key == name_key("state") { call_result(eval, option) } else { option.clone() };
                let is_part = ["actions", "getters", "state"].iter().any(|part| *key == name_key(part));
                if let (Value::Object(part), true) = (option, is_part) {
                    members.extend(part.iter().cloned());
                }
            }
            Value::Object(members.into())
        }
        setup => call_result(eval, setup),
    };
    Value::Function { params: [].into(), result: result.into() }
}

/// Returns the instance that `new Thing<A>()` of a global class creates.
fn global_instance(name: &str, type_args: &[Value]) -> Value {
    let last = name.rsplit('.').next().unwrap_or(name);
    if last.starts_with(|first: char| first.is_uppercase()) {
        return Value::external_instance(name, type_args.to_vec());
    }
    Value::Unknown
}

/// Returns the result of a React function that passes values on.
fn react_call(
    eval: &mut Evaluator<'_>,
    name: &str,
    type_arg: Option<Value>,
    first: Value,
    args: &[Value],
) -> Option<Value> {
    let name = name.strip_prefix("react.").or_else(|| name.strip_prefix("React."))?;
    Some(match name {
        "useState" => {
            let initial = call_result(eval, &first);
            let state = type_arg.unwrap_or(if initial.is_unknown() { first } else { initial });
            Value::Tuple(vec![state, Value::Unknown].into())
        }
        "useRef" | "createRef" => Value::Object(vec![(name_key("current"), type_arg.unwrap_or(first))].into()),
        "useMemo" => type_arg.unwrap_or_else(|| call_result(eval, &first)),
        "useCallback" | "memo" | "forwardRef" | "cache" | "useDeferredValue" => first,
        "useReducer" => Value::Tuple(vec![args.get(1).cloned().unwrap_or(Value::Unknown), Value::Unknown].into()),
        "createContext" => Value::external_instance("react.Context", vec![type_arg.unwrap_or(first)]),
        "useContext" | "use" => match first {
            Value::ExternalInstance { args, .. } => args.first().cloned().unwrap_or(Value::Unknown),
            _ => Value::Unknown,
        },
        _ => return None,
    })
}

/// Returns the awaited elements of the argument of `Promise.all`.
fn awaited_parts(eval: &mut Evaluator<'_>, value: &Value) -> Value {
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
