//! What JavaScript's own types and functions give back, as far as element and result types pass through them.

use super::{globals, methods};
use crate::facts::name_key;
use crate::resolve::eval::Evaluator;
use crate::resolve::rules::ExternalCallee;
use crate::resolve::value::Value;

/// Containers whose first argument is what iterating over them yields.
pub(super) const LISTS: [&str; 18] = [
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
pub(super) const MAPS: [&str; 3] = ["Map", "ReadonlyMap", "WeakMap"];
/// Types that stand for their first argument.
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

pub(super) fn list(item: Value) -> Value {
    Value::external_instance("Array", vec![item])
}

pub(super) fn named(name: &str) -> Value {
    Value::external_instance(name, Vec::new())
}

/// A promise of a value; a promise of a promise is one.
pub fn promise(value: Value) -> Value {
    match &value {
        Value::ExternalInstance { name, .. } if matches!(&**name, "Promise" | "PromiseLike") => value,
        _ => Value::external_instance("Promise", vec![value]),
    }
}

/// A type of the language applied to arguments.
pub fn apply(eval: &mut Evaluator<'_>, name: &str, mut args: Vec<Value>) -> Value {
    let first = args.first().cloned().unwrap_or(Value::Unknown);
    match name {
        "ReadonlyArray" | "ConcatArray" => list(first),
        "PromiseLike" => promise(first),
        "narrowed" => match &first {
            Value::ExternalInstance { name, args: told } if &**name == "is" => {
                told.first().cloned().unwrap_or(Value::Unknown)
            }
            _ => args.get(1).cloned().unwrap_or(Value::Unknown),
        },
        "Awaited" => unwrap(eval, &first),
        "ReturnType" => result(eval, &first),
        "InstanceType" => eval.instantiate(&first, Vec::new()),
        "Parameters" | "ConstructorParameters" => match &first {
            Value::Function { params, .. } => Value::Tuple(params.clone()),
            _ => Value::Unknown,
        },
        "Function" | "any" | "unknown" | "object" | "symbol" | "bigint" if args.is_empty() => named(name),
        _ if TRANSPARENT.contains(&name) => first,
        _ => {
            args.truncate(4);
            Value::external_instance(name, args)
        }
    }
}

/// What iterating over a value yields.
pub fn element(eval: &mut Evaluator<'_>, value: &Value) -> Value {
    match value {
        Value::ExternalInstance { name, args } if LISTS.contains(&&**name) => {
            args.first().cloned().unwrap_or(Value::Unknown)
        }
        Value::ExternalInstance { name, args } if MAPS.contains(&&**name) => Value::Tuple(args.clone()),
        Value::ExternalInstance { name, .. } if &**name == "string" => value.clone(),
        Value::Tuple(parts) => Value::union(parts.iter().cloned()),
        Value::Instance { .. } => match foreign_base(eval, value) {
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

/// What indexing with something that is no fixed name gives.
pub fn index(eval: &mut Evaluator<'_>, value: &Value) -> Value {
    match value {
        Value::ExternalInstance { name, args } if matches!(&**name, "Record" | "Dictionary") => {
            args.get(1).cloned().unwrap_or(Value::Unknown)
        }
        Value::Object(members) => {
            let signature = members.iter().find(|(key, _)| *key == name_key("[]"));
            match signature {
                Some((_, value)) => value.clone(),
                None => Value::union(members.iter().map(|(_, value)| value.clone())),
            }
        }
        Value::Instance { .. } => {
            let found = nameless(eval, value, "[]");
            if found.is_unknown() { element(eval, value) } else { found }
        }
        _ => element(eval, value),
    }
}

/// What `await` gives.
pub fn unwrap(eval: &mut Evaluator<'_>, value: &Value) -> Value {
    match value {
        Value::ExternalInstance { name, args } if matches!(&**name, "Promise" | "PromiseLike") => {
            let inner = args.first().cloned().unwrap_or(Value::Unknown);
            if inner == *value { inner } else { eval.map_alternatives(&inner, unwrap) }
        }
        Value::Instance { .. } => match foreign_base(eval, value) {
            Some(base @ Value::ExternalInstance { .. }) if is_promise(&base) => eval.follow(|eval| unwrap(eval, &base)),
            _ => value.clone(),
        },
        other => other.clone(),
    }
}

fn is_promise(value: &Value) -> bool {
    matches!(value, Value::ExternalInstance { name, .. } if matches!(&**name, "Promise" | "PromiseLike"))
}

fn foreign_base(eval: &mut Evaluator<'_>, value: &Value) -> Option<Value> {
    eval.ancestors(value).into_iter().find(|base| matches!(base, Value::ExternalInstance { .. }))
}

/// A call, construction or index signature of an instance's type.
pub fn nameless(eval: &mut Evaluator<'_>, value: &Value, name: &str) -> Value {
    for instance in eval.ancestors(value) {
        match &instance {
            Value::Instance { symbol, args } => {
                let definition = eval.world.definition(*symbol);
                let Some(signatures) = definition.value_type.filter(|_| !definition.flags.is_alias) else { continue };
                let place = crate::resolve::rules::UseSite { file: symbol.file, scope: definition.scope };
                let substitution = eval.own_substitution(*symbol, args);
                if let Value::Object(members) = eval.type_of(place, signatures)
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

/// What calling a value without looking at arguments gives.
pub fn result(eval: &mut Evaluator<'_>, function: &Value) -> Value {
    eval.map_alternatives(function, |eval, function| match function {
        Value::Function { result, .. } => (**result).clone(),
        Value::Symbol { symbol, bound } if eval.world.definition(*symbol).kind.is_callable() => {
            eval.result_of(*symbol).substitute(bound)
        }
        Value::Instance { .. } | Value::Object(_) => match nameless(eval, function, "()") {
            Value::Function { result, .. } => (*result).clone(),
            _ => Value::Unknown,
        },
        _ => Value::Unknown,
    })
}

/// A property of a value of the language's own types, where it is more than a method.
pub fn member(eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
    match receiver {
        Value::ExternalInstance { name: owner, args } => match (&**owner, name) {
            ("Record" | "Dictionary", _) => Some(args.get(1).cloned().unwrap_or(Value::Unknown)),
            (_, "length" | "size") => Some(named("number")),
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
            let indexed = nameless(eval, receiver, "[]");
            (!indexed.is_unknown()).then_some(indexed)
        }
        _ => None,
    }
}

/// What a call of one of the language's functions gives.
pub fn call(eval: &mut Evaluator<'_>, callee: ExternalCallee<'_>, args: &[Value]) -> Value {
    match callee {
        ExternalCallee::Method(receiver, name) => methods::method(eval, receiver, name, args),
        ExternalCallee::Named(name, known) => globals::function(eval, name, known, args),
    }
}

/// What a function handed to one of the language's functions is given.
pub fn lambda(
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
                owner if LISTS.contains(&owner) => list_lambda(eval, item, name, args, parameter),
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

fn list_lambda(eval: &mut Evaluator<'_>, item: Value, name: &str, args: &[Value], parameter: u16) -> Value {
    match (name, parameter) {
        ("reduce" | "reduceRight", 0) => match args.get(1) {
            Some(start) if !start.is_unknown() => eval.map_alternatives(start, |_, start| start.clone()),
            _ => item,
        },
        ("reduce" | "reduceRight" | "sort" | "toSorted", 1) => item,
        (_, 0) => item,
        (_, 1) => named("number"),
        (_, 2) => list(item),
        _ => Value::Unknown,
    }
}
