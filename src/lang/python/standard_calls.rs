//! What calling functions and methods of the standard library gives.

use std::sync::Arc;

use super::standard::{element, instance, is_builtin, own_result, plain, unwrap};
use crate::resolve::eval::Evaluator;
use crate::resolve::value::Value;

/// What calling a foreign function or class gives.
pub(super) fn call(eval: &mut Evaluator<'_>, name: &str, known: &[Value], args: &[Value]) -> Value {
    let plain_name = plain(name);
    if let Some(value) = made_container(eval, plain_name, known, args) {
        return value;
    }
    let first = args.first().cloned().unwrap_or(Value::Unknown);
    match plain_name {
        "next" | "anext" => match own_result(eval, &first, "__next__") {
            Some(next) => next,
            None => element(eval, &first),
        },
        "max" | "min" if args.len() > 1 && !matches!(args[1], Value::Function { .. }) => {
            Value::union(args.iter().cloned())
        }
        "max" | "min" | "random.choice" => element(eval, &first),
        "copy.copy" | "copy.deepcopy" | "functools.partial" | "functools.wraps" => first,
        "weakref.ref" | "ref" => Value::Function { params: Arc::new([]), result: Arc::new(first) },
        "weakref.proxy" => first,
        "contextlib.closing" | "closing" | "nullcontext" | "contextlib.nullcontext" => {
            instance("ContextManager", vec![first])
        }
        "type" => match &first {
            Value::Instance { symbol, .. } => Value::symbol(*symbol),
            _ => Value::Unknown,
        },
        "str" | "repr" | "format" | "input" | "chr" | "ascii" => instance("str", Vec::new()),
        "len" | "int" | "hash" | "ord" | "id" => instance("int", Vec::new()),
        "property" => match &first {
            Value::Symbol { symbol, bound } => eval.result_of(*symbol).substitute(bound),
            Value::Function { result, .. } => (**result).clone(),
            _ => Value::Unknown,
        },
        "staticmethod" | "classmethod" => first,
        "getattr" | "eval" | "object" | "super" | "sum" | "abs" | "pow" | "divmod" | "vars" | "globals" => {
            Value::Unknown
        }
        _ => {
            let last = plain_name.rsplit_once('.').map_or(plain_name, |(_, last)| last);
            let is_class = last.starts_with(|letter: char| letter.is_uppercase()) || is_builtin(plain_name);
            if is_class { instance(plain_name, known.to_vec()) } else { Value::Unknown }
        }
    }
}

/// Containers and iterators made of others.
fn made_container(eval: &mut Evaluator<'_>, name: &str, known: &[Value], args: &[Value]) -> Option<Value> {
    let first = args.first().cloned().unwrap_or(Value::Unknown);
    let made = match name {
        "list" | "sorted" => container(eval, "list", known, &first),
        "set" => container(eval, "set", known, &first),
        "tuple" => container(eval, "tuple", known, &first),
        "iter" | "reversed" | "Iterator" => container(eval, "Iterator", known, &first),
        "dict" => match &first {
            Value::ExternalInstance { name, .. } if &**name == "dict" => first,
            _ => instance("dict", known.to_vec()),
        },
        "filter" => {
            let items = args.get(1).cloned().unwrap_or(Value::Unknown);
            container(eval, "Iterator", &[], &items)
        }
        "map" => {
            let result = match &first {
                Value::Function { result, .. } => (**result).clone(),
                Value::Symbol { symbol, .. } if eval.world.definition(*symbol).kind.is_type() => {
                    eval.instantiate(&first, Vec::new())
                }
                Value::Symbol { symbol, bound } => eval.result_of(*symbol).substitute(bound),
                _ => Value::Unknown,
            };
            instance("Iterator", vec![result])
        }
        "enumerate" => {
            let item = element(eval, &first);
            let pair = Value::Tuple(Arc::new([instance("int", Vec::new()), item]));
            instance("Iterator", vec![pair])
        }
        "zip" => {
            let parts: Vec<Value> = args.iter().map(|arg| element(eval, arg)).collect();
            instance("Iterator", vec![Value::Tuple(parts.into())])
        }
        "itertools.chain" => {
            let parts: Vec<Value> = args.iter().map(|arg| element(eval, arg)).collect();
            instance("Iterator", vec![Value::union(parts)])
        }
        "itertools.chain.from_iterable" => {
            let inner = element(eval, &first);
            container(eval, "Iterator", &[], &inner)
        }
        _ => return None,
    };
    Some(made)
}

fn container(eval: &mut Evaluator<'_>, name: &str, known: &[Value], items: &Value) -> Value {
    let item = match known.first() {
        Some(known) => known.clone(),
        None => eval.map_alternatives(items, element),
    };
    if item.is_unknown() { instance(name, Vec::new()) } else { instance(name, vec![item]) }
}

/// What calling a method of a foreign value gives.
pub(super) fn call_method(eval: &mut Evaluator<'_>, receiver: &Value, method: &str, args: &[Value]) -> Value {
    let Value::ExternalInstance { name, args: inner } = receiver else { return Value::Unknown };
    let at = |index: usize| inner.get(index).cloned().unwrap_or(Value::Unknown);
    let fallback = args.get(1).cloned().unwrap_or(Value::Unknown);
    match (&**name, method) {
        ("dict", "get" | "pop" | "setdefault") => Value::union([at(1), fallback]),
        ("dict", "items") => instance("Iterator", vec![Value::Tuple(Arc::new([at(0), at(1)]))]),
        ("dict", "keys") => instance("Iterator", vec![at(0)]),
        ("dict", "values") => instance("Iterator", vec![at(1)]),
        ("dict", "popitem") => Value::Tuple(Arc::new([at(0), at(1)])),
        ("list" | "set", "pop" | "popleft") => at(0),
        ("Iterator", "__next__" | "send") => at(0),
        ("type", "__call__") => at(0),
        ("contextvars.ContextVar" | "ContextVar", "get") => at(0),
        ("queue.Queue" | "asyncio.Queue" | "Queue", "get" | "get_nowait") => at(0),
        ("str" | "bytes", "split" | "rsplit" | "splitlines") => instance("list", vec![receiver.clone()]),
        ("str" | "bytes", "partition" | "rpartition") => {
            Value::Tuple(Arc::new([receiver.clone(), receiver.clone(), receiver.clone()]))
        }
        ("str", "encode") => instance("bytes", Vec::new()),
        ("bytes", "decode") => instance("str", Vec::new()),
        ("str" | "bytes", "find" | "index" | "count") => instance("int", Vec::new()),
        ("str" | "bytes", _) => receiver.clone(),
        (
            "list" | "set" | "dict" | "tuple",
            "copy" | "__add__" | "__or__" | "__and__" | "__sub__" | "union" | "intersection" | "difference",
        ) => receiver.clone(),
        ("int" | "float", _) => receiver.clone(),
        (_, "__enter__" | "__aenter__") => unwrap(eval, receiver),
        ("contextlib.ExitStack" | "ExitStack" | "AsyncExitStack", "enter_context" | "enter_async_context") => {
            args.first().map_or(Value::Unknown, |manager| unwrap(eval, manager))
        }
        _ => Value::Unknown,
    }
}
