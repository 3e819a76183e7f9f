//! The global types and functions of JavaScript and React: names, types, and the results of functions and methods.
//!
//! Only element and result types are modeled. The module does not depend on syntax or manifests.

pub mod element_types;
pub mod functions;
pub mod methods;
pub mod names;

use self::element_types::{call_result, signature_of, unwrap};
use crate::lang::typescript::builtins::{INDEX_SIGNATURE, NARROWED, TYPE_PREDICATE};
use crate::resolve::eval::Evaluator;
use crate::resolve::rules::ExternalCallee;
use crate::resolve::value::Value;

/// Types whose first argument is their element type.
pub const LISTS: [&str; 18] = [
    "Array",
    "ReadonlyArray",
    "Set",
    "ReadonlySet",
    "WeakSet",
    "Iterable",
    "Iterator",
    "IterableIterator",
    "IteratorObject",
    "ArrayLike",
    "Generator",
    "AsyncIterable",
    "AsyncIterator",
    "AsyncIterableIterator",
    "AsyncGenerator",
    "ReadableStream",
    "NodeListOf",
    "ConcatArray",
];
/// Types with a key and a value as arguments.
pub const MAPS: [&str; 3] = ["Map", "ReadonlyMap", "WeakMap"];
/// Utility types that are treated as their first argument.
const TRANSPARENT: [&str; 16] = [
    "Partial",
    "Required",
    "Readonly",
    "NonNullable",
    "NoInfer",
    "Pick",
    "Omit",
    "Exclude",
    "Extract",
    "DeepPartial",
    "WeakRef",
    "ThisType",
    "Mutable",
    "Writable",
    "Simplify",
    "Uncapitalize",
];

/// Returns whether the elements or results of a global type are known, or it stands for its argument.
pub fn is_modeled(name: &str) -> bool {
    const OTHERS: [&str; 8] =
        ["Awaited", "Function", "InstanceType", "Parameters", "Promise", "PromiseLike", "Record", "ReturnType"];
    LISTS.contains(&name) || MAPS.contains(&name) || TRANSPARENT.contains(&name) || OTHERS.contains(&name)
}

/// Returns an array of `item`.
pub fn list(item: Value) -> Value {
    Value::external_instance("Array", vec![item])
}

/// Returns a value of a global type without arguments.
pub fn builtin(name: &str) -> Value {
    Value::external_instance(name, Vec::new())
}

/// Returns a promise of a value. Promises do not nest.
pub fn promise(value: Value) -> Value {
    match &value {
        Value::ExternalInstance { name, .. } if matches!(&**name, "Promise" | "PromiseLike") => value,
        _ => Value::external_instance("Promise", vec![value]),
    }
}

/// Returns a value of a global type with type arguments. Evaluates utility types and the marker [`NARROWED`].
pub fn apply(eval: &mut Evaluator<'_>, name: &str, mut args: Vec<Value>) -> Value {
    let first = args.first().cloned().unwrap_or(Value::Unknown);
    match name {
        "ReadonlyArray" | "ConcatArray" => list(first),
        "PromiseLike" => promise(first),
        NARROWED => match &first {
            Value::ExternalInstance { name, args: predicate } if &**name == TYPE_PREDICATE => {
                predicate.first().cloned().unwrap_or(Value::Unknown)
            }
            _ => args.get(1).cloned().unwrap_or(Value::Unknown),
        },
        "Awaited" => unwrap(eval, &first),
        "ReturnType" => call_result(eval, &first),
        "InstanceType" => eval.instantiate(&first, Vec::new()),
        "Parameters" | "ConstructorParameters" => match &first {
            Value::Function { params, .. } => Value::Tuple(params.clone()),
            _ => Value::Unknown,
        },
        "Function" | "any" | "unknown" | "object" | "symbol" | "bigint" if args.is_empty() => builtin(name),
        _ if TRANSPARENT.contains(&name) => first,
        _ => {
            args.truncate(4);
            Value::external_instance(name, args)
        }
    }
}

/// Returns a property of an external value that is not a method.
pub fn member(eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
    match receiver {
        Value::ExternalInstance { name: owner, args } => match (&**owner, name) {
            ("Record" | "Dictionary", _) => Some(args.get(1).cloned().unwrap_or(Value::Unknown)),
            (_, "length" | "size") => Some(builtin("number")),
            ("React.RefObject" | "react.RefObject" | "Ref", "current") => args.first().cloned(),
            _ => None,
        },
        Value::Tuple(parts) => {
            let item = Value::union(parts.iter().cloned());
            let receiver = list(item).into();
            Some(Value::ExternalMethod { receiver, name: name.into() })
        }
        Value::Function { .. } => None,
        Value::Instance { .. } => {
            let indexed = signature_of(eval, receiver, INDEX_SIGNATURE);
            (!indexed.is_unknown()).then_some(indexed)
        }
        _ => None,
    }
}

/// Returns the result of a call of an external function or method.
pub fn call(eval: &mut Evaluator<'_>, callee: ExternalCallee<'_>, args: &[Value]) -> Value {
    match callee {
        ExternalCallee::Method(receiver, name) => methods::call(eval, receiver, name, args),
        ExternalCallee::Named(name, type_args) => functions::global_call(eval, name, type_args, args),
    }
}
