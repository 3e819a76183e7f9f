//! Methods of iterators and collections: their results and the types of their closures' parameters.

use std::sync::Arc;

use super::element_types::{declared_element, element, unwrapped};
use super::last_segment;
use super::types::{StdType, call_result, iterator, option, std_type};
use crate::lang::rust::builtins::SLICE;
use crate::resolve::eval::Evaluator;
use crate::resolve::value::Value;

/// Returns the result of a method of an iterator or collection.
pub fn iterator_call(eval: &mut Evaluator<'_>, receiver: &Value, name: &str, args: &[Value]) -> Value {
    let item = receiver.argument(0);
    let first = args.first().cloned().unwrap_or(Value::Unknown);
    let number = || Value::external_instance("usize", Vec::new());
    match name {
        "iter"
        | "iter_mut"
        | "into_iter"
        | "drain"
        | "rev"
        | "skip"
        | "take"
        | "step_by"
        | "filter"
        | "peekable"
        | "fuse"
        | "skip_while"
        | "take_while"
        | "cycle"
        | "inspect"
        | "sorted"
        | "sorted_by"
        | "sorted_by_key"
        | "dedup"
        | "unique"
        | "into_sorted_vec"
        | "union"
        | "intersection"
        | "difference"
        | "par_iter"
        | "into_par_iter"
        | "symmetric_difference"
        | "extract_if"
        | "by_ref" => iterator(item),
        "chain" => {
            let other = element(eval, &first);
            iterator(if item.is_unknown() { other } else { item })
        }
        "windows" | "chunks" | "chunks_exact" | "rchunks" | "chunk_by" | "split" | "chunks_mut" => {
            iterator(Value::external_instance(SLICE, vec![item]))
        }
        "enumerate" => iterator(Value::Tuple(Arc::new([number(), item]))),
        "zip" => {
            let other = element(eval, &first);
            iterator(Value::Tuple(Arc::new([item, other])))
        }
        "map" => iterator(call_result(eval, &first)),
        "filter_map" | "map_while" => {
            let inner = call_result(eval, &first);
            iterator(unwrapped(&inner))
        }
        "flat_map" => {
            let inner = call_result(eval, &first);
            iterator(element(eval, &inner))
        }
        "flatten" => iterator(element(eval, &item)),
        "scan" => iterator(args.get(1).map_or(Value::Unknown, |function| call_result(eval, function)).argument(0)),
        _ => element_call(eval, item, receiver, name, args),
    }
}

/// Returns the result of a method that yields elements or a whole collection instead of an iterator.
fn element_call(eval: &mut Evaluator<'_>, item: Value, receiver: &Value, name: &str, args: &[Value]) -> Value {
    let first = args.first().cloned().unwrap_or(Value::Unknown);
    let number = || Value::external_instance("usize", Vec::new());
    match name {
        "next" | "last" | "nth" | "first" | "min" | "max" | "min_by" | "max_by" | "min_by_key" | "max_by_key"
        | "find" | "pop" | "pop_front" | "pop_back" | "pop_first" | "pop_last" | "first_mut" | "last_mut" | "peek"
        | "peek_mut" | "reduce" | "next_back" | "front" | "back" | "front_mut" | "back_mut" | "next_if" | "rfind"
        | "get_mut" | "replace" | "next_if_eq" => option(item),
        "get" | "take_first" => option(item),
        "find_map" => call_result(eval, &first),
        "fold" => {
            let result = args.get(1).map_or(Value::Unknown, |function| call_result(eval, function));
            if first.is_unknown() { result } else { first }
        }
        "try_fold" => args.get(1).map_or(Value::Unknown, |function| call_result(eval, function)),
        "try_for_each" => call_result(eval, &first),
        "position" | "rposition" | "binary_search" => option(number()),
        "collect" | "collect_vec" => collected(&item),
        "partition" => Value::Tuple(Arc::new([collected(&item), collected(&item)])),
        "unzip" => match &item {
            Value::Tuple(parts) => Value::Tuple(parts.iter().map(collected).collect()),
            _ => Value::Unknown,
        },
        "split_at" | "split_at_mut" => Value::Tuple(Arc::new([receiver.clone(), receiver.clone()])),
        "split_first" | "split_last" | "split_first_mut" | "split_last_mut" => {
            option(Value::Tuple(Arc::new([item, receiver.clone()])))
        }
        "swap_remove" | "remove" | "sum" | "product" | "get_unchecked" => item,
        "split_off" | "concat" => receiver.clone(),
        _ => Value::Unknown,
    }
}

/// Returns the result of `collect`. The collection's type depends on the context, so `Vec` represents all of them.
fn collected(item: &Value) -> Value {
    Value::external_instance("std.vec.Vec", vec![item.clone()])
}

/// Returns the type of the closure parameter with index `parameter`. The closure is the argument with index `argument`.
pub fn closure_parameter(
    eval: &mut Evaluator<'_>,
    receiver: &Value,
    name: &str,
    args: &[Value],
    argument: u16,
    parameter: u16,
) -> Value {
    let inner = receiver.argument(0);
    match std_type(receiver) {
        StdType::Option => inner,
        StdType::Result => match name {
            "map_err" | "unwrap_or_else" | "or_else" | "inspect_err" | "is_err_and" => receiver.argument(1),
            "map_or_else" if argument == 0 => receiver.argument(1),
            _ => inner,
        },
        StdType::Map => match (name, parameter) {
            ("and_modify", _) => receiver.argument(1),
            ("retain" | "extract_if", 0) | ("or_insert_with_key", _) => inner,
            ("retain" | "extract_if", _) => receiver.argument(1),
            _ => Value::Tuple(Arc::new([inner, receiver.argument(1)])),
        },
        StdType::Cell => inner,
        StdType::Sequence => iterator_closure_parameter(inner, name, args, parameter),
        StdType::Other => match receiver {
            Value::Instance { .. } | Value::Parameter(_) => {
                let element = declared_element(eval, receiver);
                iterator_closure_parameter(element, name, args, parameter)
            }
            Value::ExternalInstance { name: owner, .. } if matches!(last_segment(owner), "str" | "String") => {
                Value::external_instance("char", Vec::new())
            }
            _ => Value::Unknown,
        },
    }
}

fn iterator_closure_parameter(element: Value, name: &str, args: &[Value], parameter: u16) -> Value {
    match (name, parameter) {
        ("fold" | "try_fold" | "scan" | "rfold", 0) => args.first().cloned().unwrap_or(Value::Unknown),
        ("resize_with" | "then" | "map_or", _) => Value::Unknown,
        _ => element,
    }
}
