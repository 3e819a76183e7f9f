//! The standard library and the most common crates: results of functions and methods, by `library.txt`.
//!
//! Smart pointers (`Box`, `Rc`, `Arc`, `Cow`, `Pin`) are transparent: a value of type `Box<T>` is a value of type `T`,
//! because members are looked up on `T` anyway. A `Cow` of a type of other code is one, since repositories implement their
//! traits for those, too.

use std::sync::{Arc, LazyLock};

use super::builtins::{INFERRED, POINTER, SLICE, WITH_ELEMENTS};
use super::element_types::{declared_element, element};
use super::names::prelude_item;
use crate::lang::common::library::Library;
use crate::resolve::eval::Evaluator;
use crate::resolve::value::Value;

/// Members of types by the last segments of their names.
pub static LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::read_by_last_segment(include_str!("library.txt")));

/// Methods that return their receiver in another form.
const CONVERSIONS: &str = "
    clone to_owned borrow borrow_mut as_ref as_mut deref deref_mut by_ref cloned copied as_deref as_deref_mut
    into_owned to_mut into project project_ref
";

/// Types whose values are taken for their content, besides [`is_cow`].
pub const TRANSPARENT: &str = "
    Box Rc Arc Cow Pin ManuallyDrop NonNull MutexGuard RwLockReadGuard RwLockWriteGuard Ref RefMut Saturating Wrapping
    Reverse MaybeUninit Guard CachePadded
";

/// Methods whose result type depends on the context.
const INFERRED_RESULT_METHODS: &str = "
    collect deserialize downcast downcast_mut downcast_ref get into into_inner parse product read sum try_into
";

/// Returns whether a name is among those that spaces separate.
pub fn has(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|known| known == name)
}

/// Returns the last segment of a dotted name.
pub fn last_segment(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// Returns whether a value is an iterator, a collection, a slice or a range.
pub fn is_sequence(value: &Value) -> bool {
    matches!(LIBRARY.type_of(value), Some("std.iter.Iterator" | "std.vec.Vec" | "[]"))
}

/// Returns whether a value is a `Cow` of a type of other code.
pub fn is_cow(value: &Value) -> bool {
    matches!(value, Value::ExternalInstance { name, .. } if last_segment(name) == "Cow")
}

/// Returns whether a value has the members of its content: a `Cow`, or the receiver in an implementation for pointers.
pub fn is_pointer(value: &Value) -> bool {
    is_cow(value) || matches!(value, Value::ExternalInstance { name, .. } if &**name == POINTER)
}

/// Returns whether a value is a map, or an entry of one.
pub fn is_map(value: &Value) -> bool {
    matches!(LIBRARY.type_of(value), Some("HashMap" | "Entry"))
}

fn iterator(element: Value) -> Value {
    Value::external_instance("std.iter.Iterator", vec![element])
}

/// Returns an external value of unknown type. Its members are external too, so they are not guessed by name.
fn opaque() -> Value {
    Value::Tuple(Arc::new([]))
}

/// Returns the qualified name of a library type that extraction recorded by its short name.
fn qualified_name(name: &str) -> String {
    match (name, prelude_item(name)) {
        (_, Some(Value::External { name, .. })) => name.to_string(),
        ("HashMap" | "HashSet" | "BTreeMap" | "BTreeSet" | "VecDeque", _) => format!("std.collections.{name}"),
        _ => name.to_owned(),
    }
}

/// Returns a value of an external type with type arguments. Markers of [`super::builtins`] are resolved.
pub fn apply(name: &str, args: Vec<Value>) -> Value {
    if let Some(target) = name.strip_prefix(INFERRED) {
        return apply_inferred(target, args);
    }
    if name == WITH_ELEMENTS {
        let mut args = args.into_iter();
        return match args.next().unwrap_or_default() {
            Value::ExternalInstance { name, .. } => Value::external_instance(&name, args.collect()),
            container => container,
        };
    }
    let name = &if name == "Range" { name.to_owned() } else { qualified_name(name) };
    match (last_segment(name), args.first(), args.last()) {
        ("LazyLock" | "Lazy" | "LazyCell", Some(first), Some(last)) if !last.is_unknown() => first.clone(),
        ("Cow", _, Some(last @ Value::ExternalInstance { .. })) => {
            Value::external_instance("std.borrow.Cow", vec![last.clone()])
        }
        (last_name, _, Some(last)) if !last.is_unknown() && has(TRANSPARENT, last_name) => last.clone(),
        // Aliases such as `io::Result<T>` and `anyhow::Result<T>` fix the error type.
        ("Result", Some(first), _) if args.len() == 1 => {
            let error = Value::external_instance(&name.replace("Result", "Error"), Vec::new());
            Value::external_instance("std.result.Result", vec![first.clone(), error])
        }
        _ => Value::external_instance(name, args),
    }
}

/// Returns a value of a type with placeholders, which are inferred from the first argument. The others are the declared
/// arguments.
fn apply_inferred(target: &str, args: Vec<Value>) -> Value {
    let mut args = args.into_iter();
    let value = args.next().unwrap_or_default();
    let declared: Vec<Value> = args.collect();
    let element = value.argument(0);
    let name = qualified_name(target);
    match (target, &element) {
        ("HashMap" | "BTreeMap" | "IndexMap" | "FxHashMap", Value::Tuple(pair)) if pair.len() == 2 => {
            let part = |index: usize| match declared.get(index) {
                Some(arg) if !arg.is_unknown() => arg.clone(),
                _ => pair[index].clone(),
            };
            Value::external_instance(&name, vec![part(0), part(1)])
        }
        // A collection of results can be collected into a result of a collection.
        ("Result" | "Option", Value::ExternalInstance { name: own, .. }) if last_segment(own) == target => {
            let inner = element.argument(0);
            let content = match declared.first() {
                Some(Value::ExternalInstance { name, .. }) => Value::external_instance(name, vec![inner]),
                _ => inner,
            };
            Value::external_instance(&name, vec![content, element.argument(1)])
        }
        ("Result" | "Option", _) => value,
        (_, Value::Unknown) if declared.iter().any(|arg| !arg.is_unknown()) => {
            Value::external_instance(&name, declared)
        }
        (_, Value::Unknown) => value,
        _ => Value::external_instance(&name, vec![element]),
    }
}

/// Returns the result of calling a library function, constructor or enum variant.
pub fn function_result(eval: &mut Evaluator<'_>, name: &str, type_args: &[Value], args: &[Value]) -> Value {
    let first = args.first().cloned().unwrap_or_default();
    let (owner, function) = name.rsplit_once('.').unwrap_or(("", name));
    let is_type = |name: &str| last_segment(name).starts_with(|c: char| c.is_uppercase());
    let of_owner = Value::external(owner);
    if last_segment(owner) == "Cow" {
        return apply(owner, vec![first]);
    }
    if let Some(result) = LIBRARY.find(&of_owner, &format!("::{function}"), args, &mut |_| Value::Unknown) {
        return result;
    }
    let is_constructor = matches!(function, "new" | "default" | "with_capacity" | "open" | "empty")
        || ["from", "new", "with"].iter().any(|start| function.starts_with(start));
    match (last_segment(owner), function) {
        ("Mutex" | "RwLock" | "RefCell" | "Cell" | "UnsafeCell", "new") => {
            return Value::external_instance(owner, vec![first]);
        }
        ("mpsc", "channel" | "sync_channel") | ("crossbeam_channel" | "channel", "bounded" | "unbounded") => {
            let halves = ["Sender", "Receiver"].map(|half| Value::external_instance(half, type_args.to_vec()));
            return Value::Tuple(halves.into());
        }
        ("Iterator" | "Option" | "Result" | "Vec" | "Clone" | "IntoIterator" | "ToOwned" | "Borrow" | "AsRef", _)
            if !first.is_unknown() && !is_constructor =>
        {
            return method_result(eval, &first, function, &args[1..]);
        }
        _ => {}
    }
    if is_type(owner) {
        return match (type_args, first.argument(0)) {
            ([], element) if function == "from" && !element.is_unknown() => apply(owner, vec![element]),
            _ if is_constructor => apply(owner, type_args.to_vec()),
            _ => Value::Unknown,
        };
    }
    // A tuple struct of another crate.
    if is_type(function) { apply(name, type_args.to_vec()) } else { Value::Unknown }
}

/// Returns the result of a method of an external value, or of a derived or external trait's method of a repository
/// type.
pub fn method_result(eval: &mut Evaluator<'_>, receiver: &Value, name: &str, args: &[Value]) -> Value {
    if let Some(converted) = converted(eval, receiver, name) {
        return converted;
    }
    if has(CONVERSIONS, name) && !LIBRARY.has_method(receiver, "clone") {
        return match receiver {
            Value::ExternalInstance { name: owner, .. } if is_conversion(last_segment(owner)) => receiver.argument(0),
            _ if name == "into" => Value::Unknown,
            _ => receiver.clone(),
        };
    }
    // Only the last argument can be a function that has a name.
    let mut args = args.to_vec();
    if (name == "then" || LIBRARY.takes_lambda(receiver, name))
        && let Some(last) = args.last_mut()
    {
        *last = callable(eval, last);
    }
    let of_any = LIBRARY.function(name, &args, &mut |_| Value::Unknown);
    if let Some(result) = of_any.or_else(|| rearranged(receiver, name)) {
        return result;
    }
    match LIBRARY.find(receiver, name, &args, &mut |value| element(eval, value)) {
        Some(result) if !is_text(receiver) || !result.is_unknown() => result,
        _ => other_result(eval, receiver, name, &args),
    }
}

/// Returns the result of a method that makes a collection of a slice, a slice of a collection, or a string of a text.
fn converted(eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
    let is_slice = matches!(receiver, Value::ExternalInstance { name, .. } if &**name == SLICE);
    let made = match name {
        "to_vec" => "std.vec.Vec",
        "to_owned" | "into_owned" if is_slice => "std.vec.Vec",
        "to_owned" | "into_owned" if is_text(receiver) => return Some(apply("String", Vec::new())),
        "as_slice" | "as_mut_slice" | "into_boxed_slice" => SLICE,
        _ => return None,
    };
    is_sequence(receiver).then(|| Value::external_instance(made, vec![element(eval, receiver)]))
}

/// Returns the result of a method that changes the order of wrappers, or of what they contain.
fn rearranged(receiver: &Value, name: &str) -> Option<Value> {
    let of = |name: &str, args: Vec<Value>| Value::external_instance(name, args);
    let (inner, error) = (receiver.argument(0), receiver.argument(1));
    match (name, LIBRARY.type_of(receiver)?, &inner) {
        ("unzip", _, Value::Tuple(parts)) => {
            Some(Value::Tuple(parts.iter().map(|part| of("std.vec.Vec", vec![part.clone()])).collect()))
        }
        ("transpose", "std.option.Option", _) if LIBRARY.type_of(&inner) == Some("std.result.Result") => {
            let content = of("std.option.Option", vec![inner.argument(0)]);
            Some(of("std.result.Result", vec![content, inner.argument(1)]))
        }
        ("transpose", "std.option.Option" | "std.result.Result", Value::ExternalInstance { .. }) => {
            let content = of("std.result.Result", vec![inner.argument(0), error]);
            Some(of("std.option.Option", vec![content]))
        }
        _ => None,
    }
}

/// Returns a closure for a named function or a variant as an argument (`.map(Foo::new)`).
fn callable(eval: &mut Evaluator<'_>, function: &Value) -> Value {
    let result = match function {
        Value::Symbol { symbol, bound } if eval.world.definition(*symbol).kind.is_callable() => {
            eval.result_of(*symbol).substitute(bound)
        }
        Value::Symbol { .. } => eval.instantiate(function, Vec::new()),
        // A variant used as a value is already an instance of its enum.
        Value::Instance { .. } => function.clone(),
        other => return other.clone(),
    };
    Value::Function { params: Arc::new([]), result: Arc::new(result) }
}

/// Returns whether a value is a string.
pub fn is_text(value: &Value) -> bool {
    matches!(LIBRARY.type_of(value), Some("std.string.String" | "str"))
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

/// Returns the result of a method that the table does not have: what external values return is external.
fn other_result(eval: &mut Evaluator<'_>, receiver: &Value, name: &str, args: &[Value]) -> Value {
    let is_opaque = match receiver {
        Value::Tuple(parts) => parts.is_empty(),
        Value::ExternalInstance { args: own, .. } => {
            is_text(receiver) || own.is_empty() && args.iter().all(is_external)
        }
        Value::Instance { .. } | Value::Parameter(_) => {
            // Library adapters are available on iterators of the repository too.
            let element = declared_element(eval, receiver);
            if element.is_unknown() {
                return Value::Unknown;
            }
            return method_result(eval, &iterator(element), name, args);
        }
        _ => false,
    };
    if is_opaque && !has(INFERRED_RESULT_METHODS, name) { opaque() } else { Value::Unknown }
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
    if matches!(receiver, Value::Instance { .. } | Value::Parameter(_)) {
        let element = declared_element(eval, receiver);
        return LIBRARY.lambda_parameter_after(&iterator(element), name, args, parameter);
    }
    if (name, argument, LIBRARY.type_of(receiver)) == ("map_or_else", 0, Some("std.result.Result")) {
        return receiver.argument(1);
    }
    LIBRARY.lambda_parameter_after(receiver, name, args, parameter)
}
