//! Results of methods of global types, and the types of their callbacks' parameters.

use super::element_types::{call_result, element, unwrap};
use super::{LISTS, MAPS, builtin, list, promise};
use crate::facts::name_key;
use crate::resolve::eval::Evaluator;
use crate::resolve::rules::ExternalCallee;
use crate::resolve::value::Value;

/// Returns the result of a method of an external value.
pub fn call(eval: &mut Evaluator<'_>, receiver: &Value, name: &str, args: &[Value]) -> Value {
    let Value::ExternalInstance { name: owner, args: own } = receiver else { return Value::Unknown };
    let first = args.first().cloned().unwrap_or(Value::Unknown);
    let item = own.first().cloned().unwrap_or(Value::Unknown);
    match &**owner {
        "Promise" | "PromiseLike" => match name {
            "then" => {
                let returned = call_result(eval, &first);
                let returned = eval.map_alternatives(&returned, unwrap);
                promise(returned)
            }
            "catch" => {
                let returned = call_result(eval, &first);
                promise(Value::union([item, returned]))
            }
            _ => receiver.clone(),
        },
        owner if MAPS.contains(&owner) => {
            let value = own.get(1).cloned().unwrap_or(Value::Unknown);
            match name {
                "get" => value,
                "set" => receiver.clone(),
                "values" => list(value),
                "keys" => list(item),
                "entries" => list(Value::Tuple(vec![item, value].into())),
                "has" | "delete" => builtin("boolean"),
                _ => Value::Unknown,
            }
        }
        owner if LISTS.contains(&owner) => list_method(eval, receiver, item, name, args),
        "string" => match name {
            "split" | "match" | "matchAll" => list(builtin("string")),
            "indexOf" | "lastIndexOf" | "charCodeAt" | "localeCompare" | "search" => builtin("number"),
            "includes" | "startsWith" | "endsWith" => builtin("boolean"),
            _ => builtin("string"),
        },
        _ => match name {
            "toString" | "toLocaleString" | "toFixed" | "toISOString" => builtin("string"),
            _ => Value::Unknown,
        },
    }
}

fn list_method(eval: &mut Evaluator<'_>, receiver: &Value, item: Value, name: &str, args: &[Value]) -> Value {
    let first = args.first().cloned().unwrap_or(Value::Unknown);
    match name {
        "map" => list(call_result(eval, &first)),
        "flatMap" => {
            let returned = call_result(eval, &first);
            let item = eval.map_alternatives(&returned, |eval, value| {
                let inner = element(eval, value);
                if inner.is_unknown() { value.clone() } else { inner }
            });
            list(item)
        }
        "flat" => {
            let inner = eval.map_alternatives(&item, element);
            list(if inner.is_unknown() { item } else { inner })
        }
        "find" | "at" | "pop" | "shift" | "findLast" => item,
        "filter" | "slice" | "reverse" | "sort" | "splice" | "fill" | "toSorted" | "toReversed" | "values" | "with"
        | "add" | "union" | "toSpliced" | "copyWithin" => {
            if name == "values" {
                list(item)
            } else {
                receiver.clone()
            }
        }
        "concat" => {
            let more = eval.map_alternatives(&first, element);
            list(Value::union([item, more]))
        }
        "reduce" | "reduceRight" => match args.get(1) {
            Some(start) if !start.is_unknown() => start.clone(),
            _ => {
                let returned = call_result(eval, &first);
                if returned.is_unknown() { item } else { returned }
            }
        },
        "entries" => list(Value::Tuple(vec![builtin("number"), item].into())),
        "keys" => list(builtin("number")),
        "next" => Value::Object(vec![(name_key("value"), item)].into()),
        "join" => builtin("string"),
        "includes" | "some" | "every" | "has" => builtin("boolean"),
        "indexOf" | "findIndex" | "push" | "unshift" => builtin("number"),
        _ => Value::Unknown,
    }
}

/// Returns the type of the callback parameter with index `parameter`. The callback is the argument with index
/// `argument`.
pub fn closure_parameter(
    eval: &mut Evaluator<'_>,
    callee: ExternalCallee<'_>,
    args: &[Value],
    argument: u16,
    parameter: u16,
) -> Value {
    match callee {
        ExternalCallee::Method(Value::ExternalInstance { name: owner, args: own }, name) => {
            let item = own.first().cloned().unwrap_or(Value::Unknown);
            match &**owner {
                "Promise" | "PromiseLike" if name == "then" && argument == 0 && parameter == 0 => {
                    eval.map_alternatives(&item, unwrap)
                }
                owner if MAPS.contains(&owner) && name == "forEach" => match parameter {
                    0 => own.get(1).cloned().unwrap_or(Value::Unknown),
                    1 => item,
                    _ => Value::Unknown,
                },
                owner if LISTS.contains(&owner) => list_closure_parameter(eval, item, name, args, parameter),
                _ => Value::Unknown,
            }
        }
        ExternalCallee::Named("Array.from", _) if argument == 1 && parameter == 0 => {
            let first = args.first().cloned().unwrap_or(Value::Unknown);
            eval.map_alternatives(&first, element)
        }
        _ => Value::Unknown,
    }
}

fn list_closure_parameter(eval: &mut Evaluator<'_>, item: Value, name: &str, args: &[Value], parameter: u16) -> Value {
    match (name, parameter) {
        ("reduce" | "reduceRight", 0) => match args.get(1) {
            Some(start) if !start.is_unknown() => eval.map_alternatives(start, |_, start| start.clone()),
            _ => item,
        },
        ("reduce" | "reduceRight" | "sort" | "toSorted", 1) => item,
        (_, 0) => item,
        (_, 1) => builtin("number"),
        (_, 2) => list(item),
        _ => Value::Unknown,
    }
}
