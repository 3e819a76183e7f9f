//! The standard library's names: the prelude, how its types are written down, what its functions give.
//!
//! Smart pointers (`Box`, `Rc`, `Arc`, `Cow`, `Pin`) are transparent: a value of `Box<T>` is taken for a `T`, whose
//! members are what anyone calls on it.

use super::contents::unwrapped;
use super::family::returned;
use super::methods;
use crate::resolve::eval::Evaluator;
use crate::resolve::value::Value;

/// The last part of a dotted name.
pub fn short(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// The full name of a library type that extraction wrote down by its plain name.
fn full_name(name: &str) -> String {
    match (name, super::names::prelude(name)) {
        (_, Some(Value::External { name, .. })) => name.to_string(),
        ("HashMap" | "HashSet" | "BTreeMap" | "BTreeSet" | "VecDeque", _) => format!("std.collections.{name}"),
        _ => name.to_owned(),
    }
}

/// A value of a foreign type.
pub fn apply(name: &str, args: Vec<Value>) -> Value {
    if let Some(target) = name.strip_prefix(super::calls::INFERRED) {
        return inferred(target, args);
    }
    if name == "filled" {
        return filled(args);
    }
    if name == "Range" {
        return Value::external_instance("Range", args);
    }
    let name = &full_name(name);
    let last = args.last().cloned().unwrap_or(Value::Unknown);
    match short(name) {
        "Box" | "Rc" | "Arc" | "Cow" | "Pin" | "ManuallyDrop" | "NonNull" | "MutexGuard" | "RwLockReadGuard"
        | "RwLockWriteGuard" | "Ref" | "RefMut" | "Saturating" | "Wrapping" | "Reverse" | "MaybeUninit" | "Guard"
        | "LazyLock" | "Lazy" | "LazyCell" | "CachePadded"
            if !last.is_unknown() =>
        {
            match short(name) {
                "LazyLock" | "Lazy" | "LazyCell" => args.into_iter().next().unwrap_or(Value::Unknown),
                _ => last,
            }
        }
        // `io::Result<T>`, `anyhow::Result<T>` and their like fix the error.
        "Result" if args.len() == 1 => {
            let error = Value::external_instance(&name.replace("Result", "Error"), Vec::new());
            Value::external_instance("std.result.Result", vec![args[0].clone(), error])
        }
        _ => Value::external_instance(name, args),
    }
}

/// A type that was written with placeholders, filled in from the value it is declared for.
fn inferred(target: &str, args: Vec<Value>) -> Value {
    let mut args = args.into_iter();
    let value = args.next().unwrap_or(Value::Unknown);
    let declared: Vec<Value> = args.collect();
    let element = value.argument(0);
    match (target, &element) {
        ("HashMap" | "BTreeMap" | "IndexMap" | "FxHashMap", Value::Tuple(pair)) if pair.len() == 2 => {
            let part = |place: usize| match declared.get(place) {
                Some(known) if !known.is_unknown() => known.clone(),
                _ => pair[place].clone(),
            };
            Value::external_instance(&full_name(target), vec![part(0), part(1)])
        }
        // Collecting results gives a result of a collection.
        ("Result" | "Option", Value::ExternalInstance { name, args }) if short(name) == target => {
            let inner = args.first().cloned().unwrap_or(Value::Unknown);
            let held = match declared.first() {
                Some(Value::ExternalInstance { name, .. }) => Value::external_instance(name, vec![inner]),
                _ => inner,
            };
            let error = args.get(1).cloned().unwrap_or(Value::Unknown);
            Value::external_instance(&full_name(target), vec![held, error])
        }
        ("Result" | "Option", _) => value,
        (_, Value::Unknown) if declared.iter().any(|known| !known.is_unknown()) => {
            Value::external_instance(&full_name(target), declared)
        }
        (_, Value::Unknown) => value,
        _ => Value::external_instance(&full_name(target), vec![element]),
    }
}

/// A collection that was made empty, with what was put into it first.
fn filled(args: Vec<Value>) -> Value {
    let mut args = args.into_iter();
    let container = args.next().unwrap_or(Value::Unknown);
    match &container {
        Value::ExternalInstance { name, .. } => Value::external_instance(name, args.collect()),
        _ => container,
    }
}

/// What calling a function or type of the library gives.
pub fn call(eval: &mut Evaluator<'_>, name: &str, known: &[Value], args: &[Value]) -> Value {
    let first = args.first().cloned().unwrap_or(Value::Unknown);
    let (owner, function) = name.rsplit_once('.').unwrap_or(("", name));
    match (short(owner), function) {
        ("Option", "Some") => return Value::external_instance("std.option.Option", vec![first]),
        ("Result", "Ok") => return Value::external_instance("std.result.Result", vec![first, Value::Unknown]),
        ("Result", "Err") => return Value::external_instance("std.result.Result", vec![Value::Unknown, first]),
        ("Box" | "Rc" | "Arc" | "Pin" | "Cow" | "ManuallyDrop" | "Ref" | "RefMut", _) => return first,
        ("mem", "replace" | "take") | ("hint", "black_box") | ("convert", "identity") => return first,
        ("LazyLock" | "Lazy" | "LazyCell", "new") => return returned(&first),
        ("Mutex" | "RwLock" | "RefCell" | "Cell" | "UnsafeCell", "new") => {
            return Value::external_instance(owner, vec![first]);
        }
        ("iter", "once" | "repeat") => return Value::external_instance("std.iter.Iterator", vec![first]),
        ("iter", "from_fn") => {
            let element = unwrapped(&returned(&first));
            return Value::external_instance("std.iter.Iterator", vec![element]);
        }
        ("mpsc", "channel" | "sync_channel") | ("crossbeam_channel" | "channel", "bounded" | "unbounded") => {
            let known = known.to_vec();
            let ends = ["Sender", "Receiver"].map(|end| Value::external_instance(end, known.clone()));
            return Value::Tuple(ends.into());
        }
        ("thread", "spawn") => return Value::external_instance("JoinHandle", vec![returned(&first)]),
        ("Iterator" | "Option" | "Result" | "Vec" | "Clone" | "IntoIterator" | "ToOwned" | "Borrow" | "AsRef", _)
            if !args.is_empty() && !first.is_unknown() && !matches!(function, "from" | "new") =>
        {
            return methods::call(eval, &first, function, &args[1..]);
        }
        _ => {}
    }
    let owner_is_type = short(owner).starts_with(|c: char| c.is_uppercase());
    if owner_is_type {
        let makes = matches!(function, "new" | "default" | "with_capacity" | "open" | "empty");
        if makes || function.starts_with("from") || function.starts_with("new") || function.starts_with("with") {
            let known = if known.is_empty() && function == "from" { vec![first.argument(0)] } else { known.to_vec() };
            return apply(owner, known);
        }
        return Value::Unknown;
    }
    // A tuple struct of another crate.
    if function.starts_with(|c: char| c.is_uppercase()) {
        return apply(name, known.to_vec());
    }
    Value::Unknown
}
