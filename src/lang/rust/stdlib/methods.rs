//! Results of methods of library types.

use std::sync::Arc;

use super::element_types::declared_element;
use super::iterator_methods::iterator_call;
use super::last_segment;
use super::types::{StdType, call_result, has_inferred_result, iterator, opaque, option, std_type, str_value};
use crate::resolve::eval::Evaluator;
use crate::resolve::value::Value;

/// Returns the result of a method of an external value, or of a derived or external trait's method of a repository
/// type.
pub fn call(eval: &mut Evaluator<'_>, receiver: &Value, name: &str, args: &[Value]) -> Value {
    let first = args.first().cloned().unwrap_or(Value::Unknown);
    match name {
        "clone" | "to_owned" | "borrow" | "borrow_mut" | "as_ref" | "as_mut" | "deref" | "deref_mut" | "by_ref"
        | "cloned" | "copied" | "to_vec" | "into_boxed_slice" | "as_slice" | "as_mut_slice" | "as_deref"
        | "as_deref_mut" | "into_owned" | "to_mut" | "into"
            if !matches!(std_type(receiver), StdType::Cell | StdType::Map) =>
        {
            return match receiver {
                Value::ExternalInstance { name: owner, args } if is_conversion(last_segment(owner)) => {
                    args.first().cloned().unwrap_or(Value::Unknown)
                }
                _ if name == "into" => Value::Unknown,
                _ => receiver.clone(),
            };
        }
        "to_string" | "to_lowercase" | "to_uppercase" => {
            return Value::external_instance("std.string.String", Vec::new());
        }
        "as_str" | "trim" => return str_value(),
        "len" | "count" | "capacity" => return Value::external_instance("usize", Vec::new()),
        "then" => return option(call_result(eval, &first)),
        "then_some" => return option(first),
        _ => {}
    }
    match std_type(receiver) {
        StdType::Option | StdType::Result => wrapper_call(eval, receiver, name, args),
        StdType::Map => map_call(receiver, name, args),
        StdType::Cell => cell_call(eval, receiver, name, args),
        StdType::Sequence => iterator_call(eval, receiver, name, args),
        StdType::Other => other_call(eval, receiver, name, args),
    }
}

/// Returns whether a value and its type arguments are external.
fn is_external(value: &Value) -> bool {
    match value {
        Value::ExternalInstance { args, .. } | Value::External { args, .. } => args.iter().all(is_external),
        Value::Tuple(parts) => parts.iter().all(is_external),
        _ => false,
    }
}

/// Returns whether a trait converts a value to its type argument.
fn is_conversion(name: &str) -> bool {
    matches!(name, "AsRef" | "AsMut" | "Borrow" | "BorrowMut" | "Deref" | "DerefMut" | "Into")
}

fn other_call(eval: &mut Evaluator<'_>, receiver: &Value, name: &str, args: &[Value]) -> Value {
    match receiver {
        Value::ExternalInstance { name: owner, .. } if matches!(last_segment(owner), "str" | "String") => match name {
            "chars" => iterator(Value::external_instance("char", Vec::new())),
            "bytes" => iterator(Value::external_instance("u8", Vec::new())),
            "lines" | "split" | "split_whitespace" | "splitn" | "rsplit" | "split_terminator" => iterator(str_value()),
            "char_indices" => {
                let pair =
                    [Value::external_instance("usize", Vec::new()), Value::external_instance("char", Vec::new())];
                iterator(Value::Tuple(Arc::new(pair)))
            }
            name if has_inferred_result(name) => Value::Unknown,
            _ => opaque(),
        },
        Value::Tuple(parts) if parts.is_empty() && !has_inferred_result(name) => opaque(),
        Value::ExternalInstance { args: known, .. } if known.is_empty() && args.iter().all(is_external) => {
            if has_inferred_result(name) {
                Value::Unknown
            } else {
                opaque()
            }
        }
        Value::Instance { .. } | Value::Parameter(_) => {
            // Library adapters are available on iterators of the repository too.
            let element = declared_element(eval, receiver);
            if element.is_unknown() {
                return Value::Unknown;
            }
            iterator_call(eval, &iterator(element), name, args)
        }
        _ => Value::Unknown,
    }
}

fn wrapper_call(eval: &mut Evaluator<'_>, receiver: &Value, name: &str, args: &[Value]) -> Value {
    let (inner, error) = (receiver.argument(0), receiver.argument(1));
    let is_option = std_type(receiver) == StdType::Option;
    let wrap = |value: Value| match is_option {
        true => option(value),
        false => Value::external_instance("std.result.Result", vec![value, error.clone()]),
    };
    let first = args.first().cloned().unwrap_or(Value::Unknown);
    let result = |value: Value, error: Value| Value::external_instance("std.result.Result", vec![value, error]);
    match name {
        "unwrap" | "expect" | "unwrap_or" | "unwrap_or_default" | "unwrap_or_else" | "unwrap_unchecked" | "insert"
        | "get_or_insert" | "get_or_insert_with"
            if inner.is_unknown() =>
        {
            match name {
                "unwrap_or" | "insert" | "get_or_insert" => first,
                "unwrap_or_else" | "get_or_insert_with" => call_result(eval, &first),
                _ => Value::Unknown,
            }
        }
        "unwrap" | "expect" | "unwrap_or" | "unwrap_or_default" | "unwrap_or_else" | "unwrap_unchecked" | "insert"
        | "get_or_insert" | "get_or_insert_with" | "into_ok" => inner,
        "unwrap_err" | "expect_err" | "into_err" => error,
        "ok" => option(inner),
        "err" => option(error),
        "ok_or" => result(inner, first),
        "ok_or_else" => result(inner, call_result(eval, &first)),
        "take" | "replace" | "filter" | "or" | "or_else" | "xor" => receiver.clone(),
        "with_context" | "context" | "chain_err" => result(inner, Value::external_instance("anyhow.Error", Vec::new())),
        "map" => wrap(call_result(eval, &first)),
        "map_err" => result(inner, call_result(eval, &first)),
        "and_then" => call_result(eval, &first),
        "and" => first,
        "map_or" | "map_or_else" => {
            let mapped = args.get(1).map_or(Value::Unknown, |function| call_result(eval, function));
            if mapped.is_unknown() && name == "map_or" { first } else { mapped }
        }
        "flatten" => inner,
        "transpose" => match &inner {
            Value::ExternalInstance { name, args } if is_option && last_segment(name) == "Result" => {
                let content = args.first().cloned().unwrap_or(Value::Unknown);
                result(option(content), args.get(1).cloned().unwrap_or(Value::Unknown))
            }
            Value::ExternalInstance { args, .. } => {
                let content = args.first().cloned().unwrap_or(Value::Unknown);
                option(result(content, error))
            }
            _ => Value::Unknown,
        },
        "zip" => option(Value::Tuple(Arc::new([inner, first.argument(0)]))),
        "iter" | "iter_mut" | "into_iter" => iterator(inner),
        _ => Value::Unknown,
    }
}

fn map_call(receiver: &Value, name: &str, args: &[Value]) -> Value {
    let (key, value) = (receiver.argument(0), receiver.argument(1));
    let pair = Value::Tuple(Arc::new([key.clone(), value.clone()]));
    let same = |name: &str| Value::external_instance(name, vec![key.clone(), value.clone()]);
    match name {
        "get" | "get_mut" | "remove" | "insert" => option(value),
        "get_key_value" | "first_key_value" | "last_key_value" | "pop_first" | "pop_last" | "remove_entry" => {
            option(pair)
        }
        "keys" | "into_keys" => iterator(key),
        "values" | "values_mut" | "into_values" => iterator(value),
        "iter" | "iter_mut" | "into_iter" | "drain" | "range" | "extract_if" => iterator(pair),
        "entry" => same("Entry"),
        "or_insert" | "or_insert_with" | "or_default" | "or_insert_with_key" if value.is_unknown() => {
            args.first().cloned().unwrap_or(Value::Unknown)
        }
        "or_insert" | "or_insert_with" | "or_default" | "or_insert_with_key" => value,
        "and_modify" | "clone" | "as_ref" | "as_mut" | "borrow" => receiver.clone(),
        _ => Value::Unknown,
    }
}

fn cell_call(eval: &mut Evaluator<'_>, receiver: &Value, name: &str, args: &[Value]) -> Value {
    let inner = receiver.argument(0);
    let Value::ExternalInstance { name: owner, .. } = receiver else { return Value::Unknown };
    let result = |value: Value| Value::external_instance("std.result.Result", vec![value, Value::Unknown]);
    match (last_segment(owner), name) {
        ("RefCell", "try_borrow" | "try_borrow_mut") => result(inner),
        ("OnceLock" | "OnceCell", "get" | "get_mut") => option(inner),
        ("OnceLock" | "OnceCell", "get_or_try_init") => result(inner),
        ("Mutex" | "RwLock", "lock" | "read" | "write" | "try_lock" | "into_inner" | "get_mut") => result(inner),
        ("JoinHandle", "join") | ("Receiver", "recv" | "try_recv") => result(inner),
        ("Receiver", "iter" | "into_iter" | "try_iter") => iterator(inner),
        ("Weak", "upgrade") => option(inner),
        ("LocalKey", "with") => args.first().map_or(Value::Unknown, |function| call_result(eval, function)),
        (_, "clone") => receiver.clone(),
        _ => inner,
    }
}
