//! Values of library types, and results of library functions.

use super::element_types::unwrapped;
use super::types::return_value;
use super::{last_segment, methods};
use crate::lang::rust::builtins::{INFERRED, WITH_ELEMENTS};
use crate::resolve::eval::Evaluator;
use crate::resolve::value::Value;

/// Returns the qualified name of a library type that extraction recorded by its short name.
fn qualified_name(name: &str) -> String {
    match (name, super::names::prelude_item(name)) {
        (_, Some(Value::External { name, .. })) => name.to_string(),
        ("HashMap" | "HashSet" | "BTreeMap" | "BTreeSet" | "VecDeque", _) => format!("std.collections.{name}"),
        _ => name.to_owned(),
    }
}

/// Returns a value of an external type with type arguments. Markers of [`crate::lang::rust::builtins`] are resolved.
pub fn apply(name: &str, args: Vec<Value>) -> Value {
    if let Some(target) = name.strip_prefix(INFERRED) {
        return apply_inferred(target, args);
    }
    if name == WITH_ELEMENTS {
        return apply_elements(args);
    }
    if name == "Range" {
        return Value::external_instance("Range", args);
    }
    let name = &qualified_name(name);
    let last = args.last().cloned().unwrap_or(Value::Unknown);
    match last_segment(name) {
        "Box" | "Rc" | "Arc" | "Cow" | "Pin" | "ManuallyDrop" | "NonNull" | "MutexGuard" | "RwLockReadGuard"
        | "RwLockWriteGuard" | "Ref" | "RefMut" | "Saturating" | "Wrapping" | "Reverse" | "MaybeUninit" | "Guard"
        | "LazyLock" | "Lazy" | "LazyCell" | "CachePadded"
            if !last.is_unknown() =>
        {
            match last_segment(name) {
                "LazyLock" | "Lazy" | "LazyCell" => args.into_iter().next().unwrap_or(Value::Unknown),
                _ => last,
            }
        }
        // Aliases such as `io::Result<T>` and `anyhow::Result<T>` fix the error type.
        "Result" if args.len() == 1 => {
            let error = Value::external_instance(&name.replace("Result", "Error"), Vec::new());
            Value::external_instance("std.result.Result", vec![args[0].clone(), error])
        }
        _ => Value::external_instance(name, args),
    }
}

/// Returns a value of a type with placeholders, which are inferred from the first argument. The others are the declared
/// arguments.
fn apply_inferred(target: &str, args: Vec<Value>) -> Value {
    let mut args = args.into_iter();
    let value = args.next().unwrap_or(Value::Unknown);
    let declared: Vec<Value> = args.collect();
    let element = value.argument(0);
    match (target, &element) {
        ("HashMap" | "BTreeMap" | "IndexMap" | "FxHashMap", Value::Tuple(pair)) if pair.len() == 2 => {
            let part = |index: usize| match declared.get(index) {
                Some(arg) if !arg.is_unknown() => arg.clone(),
                _ => pair[index].clone(),
            };
            Value::external_instance(&qualified_name(target), vec![part(0), part(1)])
        }
        // A collection of results can be collected into a result of a collection.
        ("Result" | "Option", Value::ExternalInstance { name, args }) if last_segment(name) == target => {
            let inner = args.first().cloned().unwrap_or(Value::Unknown);
            let content = match declared.first() {
                Some(Value::ExternalInstance { name, .. }) => Value::external_instance(name, vec![inner]),
                _ => inner,
            };
            let error = args.get(1).cloned().unwrap_or(Value::Unknown);
            Value::external_instance(&qualified_name(target), vec![content, error])
        }
        ("Result" | "Option", _) => value,
        (_, Value::Unknown) if declared.iter().any(|arg| !arg.is_unknown()) => {
            Value::external_instance(&qualified_name(target), declared)
        }
        (_, Value::Unknown) => value,
        _ => Value::external_instance(&qualified_name(target), vec![element]),
    }
}

/// Returns a collection that was created empty, with the types of its first insertion as type arguments.
fn apply_elements(args: Vec<Value>) -> Value {
    let mut args = args.into_iter();
    let container = args.next().unwrap_or(Value::Unknown);
    match &container {
        Value::ExternalInstance { name, .. } => Value::external_instance(name, args.collect()),
        _ => container,
    }
}

/// Returns the result of calling a library function, constructor or enum variant.
pub fn call(eval: &mut Evaluator<'_>, name: &str, type_args: &[Value], args: &[Value]) -> Value {
    let first = args.first().cloned().unwrap_or(Value::Unknown);
    let (owner, function) = name.rsplit_once('.').unwrap_or(("", name));
    match (last_segment(owner), function) {
        ("Option", "Some") => return Value::external_instance("std.option.Option", vec![first]),
        ("Result", "Ok") => return Value::external_instance("std.result.Result", vec![first, Value::Unknown]),
        ("Result", "Err") => return Value::external_instance("std.result.Result", vec![Value::Unknown, first]),
        ("Box" | "Rc" | "Arc" | "Pin" | "Cow" | "ManuallyDrop" | "Ref" | "RefMut", _) => return first,
        ("mem", "replace" | "take") | ("hint", "black_box") | ("convert", "identity") => return first,
        ("LazyLock" | "Lazy" | "LazyCell", "new") => return return_value(&first),
        ("Mutex" | "RwLock" | "RefCell" | "Cell" | "UnsafeCell", "new") => {
            return Value::external_instance(owner, vec![first]);
        }
        ("iter", "once" | "repeat") => return Value::external_instance("std.iter.Iterator", vec![first]),
        ("iter", "from_fn") => {
            let element = unwrapped(&return_value(&first));
            return Value::external_instance("std.iter.Iterator", vec![element]);
        }
        ("mpsc", "channel" | "sync_channel") | ("crossbeam_channel" | "channel", "bounded" | "unbounded") => {
            let type_args = type_args.to_vec();
            let halves = ["Sender", "Receiver"].map(|half| Value::external_instance(half, type_args.clone()));
            return Value::Tuple(halves.into());
        }
        ("thread", "spawn") => return Value::external_instance("JoinHandle", vec![return_value(&first)]),
        ("Iterator" | "Option" | "Result" | "Vec" | "Clone" | "IntoIterator" | "ToOwned" | "Borrow" | "AsRef", _)
            if !args.is_empty() && !first.is_unknown() && !matches!(function, "from" | "new") =>
        {
            return methods::call(eval, &first, function, &args[1..]);
        }
        _ => {}
    }
    let owner_is_type = last_segment(owner).starts_with(|c: char| c.is_uppercase());
    if owner_is_type {
        let is_constructor = matches!(function, "new" | "default" | "with_capacity" | "open" | "empty");
        if is_constructor || function.starts_with("from") || function.starts_with("new") || function.starts_with("with")
        {
            let type_args =
                if type_args.is_empty() && function == "from" { vec![first.argument(0)] } else { type_args.to_vec() };
            return apply(owner, type_args);
        }
        return Value::Unknown;
    }
    // A tuple struct of another crate.
    if function.starts_with(|c: char| c.is_uppercase()) {
        return apply(name, type_args.to_vec());
    }
    Value::Unknown
}
