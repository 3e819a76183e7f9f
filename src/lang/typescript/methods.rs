//! What methods of JavaScript's own values give back.

use super::library::{LISTS, MAPS, element, list, named, promise, result, unwrap};
use crate::facts::name_key;
use crate::resolve::eval::Evaluator;
use crate::resolve::value::Value;

/// What calling a method of a value gives.
pub fn method(eval: &mut Evaluator<'_>, receiver: &Value, name: &str, args: &[Value]) -> Value {
    let Value::ExternalInstance { name: owner, args: own } = receiver else { return Value::Unknown };
    let first = args.first().cloned().unwrap_or(Value::Unknown);
    let item = own.first().cloned().unwrap_or(Value::Unknown);
    match &**owner {
        "Promise" | "PromiseLike" => match name {
            "then" => {
                let given = result(eval, &first);
                let given = eval.map_alternatives(&given, unwrap);
                promise(given)
            }
            "catch" => {
                let given = result(eval, &first);
                promise(Value::union([item, given]))
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
                "has" | "delete" => named("boolean"),
                _ => Value::Unknown,
            }
        }
        owner if LISTS.contains(&owner) => list_method(eval, receiver, item, name, args),
        "string" => match name {
            "split" | "match" | "matchAll" => list(named("string")),
            "indexOf" | "lastIndexOf" | "charCodeAt" | "localeCompare" | "search" => named("number"),
            "includes" | "startsWith" | "endsWith" => named("boolean"),
            _ => named("string"),
        },
        _ => match name {
            "toString" | "toLocaleString" | "toFixed" | "toISOString" => named("string"),
            _ => Value::Unknown,
        },
    }
}

fn list_method(eval: &mut Evaluator<'_>, receiver: &Value, item: Value, name: &str, args: &[Value]) -> Value {
    let first = args.first().cloned().unwrap_or(Value::Unknown);
    match name {
        "map" => list(result(eval, &first)),
        "flatMap" => {
            let given = result(eval, &first);
            let item = eval.map_alternatives(&given, |eval, value| {
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
                let given = result(eval, &first);
                if given.is_unknown() { item } else { given }
            }
        },
        "entries" => list(Value::Tuple(vec![named("number"), item].into())),
        "keys" => list(named("number")),
        "next" => Value::Object(vec![(name_key("value"), item)].into()),
        "join" => named("string"),
        "includes" | "some" | "every" | "has" => named("boolean"),
        "indexOf" | "findIndex" | "push" | "unshift" => named("number"),
        _ => Value::Unknown,
    }
}
