//! Names of the C standard library and of POSIX, which projects use without defining them.

use super::primitives::CONTENT;
use crate::lang::common::word_list::word_list;
use crate::resolve::value::Value;

/// Returns whether a header of the system declares a name.
pub fn is_standard(name: &str) -> bool {
    STANDARD.binary_search(&name).is_ok()
}

/// The type of what points to an element of a container.
const ITERATOR: &str = "iterator";

/// The type of a key with its value.
const PAIR: &str = "pair";

/// Returns whether a type of the library is a pointer with an owner, or to an element.
pub fn is_pointer(name: &str) -> bool {
    matches!(name, "unique_ptr" | "shared_ptr" | "weak_ptr" | "optional" | "reference_wrapper" | ITERATOR)
}

/// Returns whether a member is one that such a pointer has itself, besides what it points to.
pub fn is_of_pointer(member: &str) -> bool {
    matches!(
        member,
        "expired" | "get" | "has_value" | "lock" | "release" | "reset" | "swap" | "use_count" | "value" | "value_or"
    )
}

/// Returns whether a type of the library has values for keys. Its first two arguments are their types.
fn is_map(name: &str) -> bool {
    let last = name.rsplit(['.', ':']).next().unwrap_or(name);
    last.ends_with("map") || matches!(last, "QHash" | "QMap")
}

/// Returns whether a type of the library has elements of the type of its first argument.
fn is_sequence(name: &str) -> bool {
    let last = name.rsplit(['.', ':']).next().unwrap_or(name);
    last.ends_with("set")
        || last.ends_with("queue")
        || matches!(
            last,
            "array" | "deque" | "forward_list" | "initializer_list" | "list" | "span" | "stack" | "vector" | "QList"
        )
}

/// Returns whether a type of the library has elements.
pub fn is_container(name: &str) -> bool {
    is_map(name) || is_sequence(name)
}

/// Returns the element of a container of the library: of a map a key with its value.
pub fn element(name: &str, args: &[Value]) -> Value {
    match args {
        [key, value, ..] if is_map(name) => Value::external_instance(PAIR, vec![key.clone(), value.clone()]),
        [first, ..] if is_sequence(name) => first.clone(),
        _ => args.last().cloned().unwrap_or_default(),
    }
}

/// Returns the value of `container[index]`.
pub fn indexed(name: &str, args: &[Value]) -> Value {
    let number = usize::from(is_map(name));
    args.get(number).cloned().unwrap_or_default()
}

/// Returns a member of a value of the library: a part of a pair, or what a pointer points to.
pub fn member(name: &str, args: &[Value], member: &str) -> Option<Value> {
    match (name, member) {
        (PAIR, "first") => args.first().cloned(),
        (PAIR, "second") => args.get(1).cloned(),
        (name, CONTENT) if is_pointer(name) => args.first().cloned(),
        _ => None,
    }
}

/// Returns a part of a pair or a tuple: `auto [a, b] = pair`.
pub fn part(name: &str, args: &[Value], index: usize) -> Value {
    match name {
        PAIR | "tuple" => args.get(index).cloned().unwrap_or_default(),
        "array" => args.first().cloned().unwrap_or_default(),
        _ => Value::Unknown,
    }
}

/// Returns the result of a method of a container or a pointer of the library with these generic arguments.
pub fn result(name: &str, args: &[Value], method: &str) -> Option<Value> {
    let first = args.first()?;
    let iterator = || Value::external_instance(ITERATOR, vec![element(name, args)]);
    match method {
        "get" | "value" | "value_or" if is_pointer(name) => Some(first.clone()),
        "lock" if name == "weak_ptr" => Some(Value::external_instance("shared_ptr", args.to_vec())),
        "emplace" | "insert" | "try_emplace" if is_map(name) => {
            Some(Value::external_instance(PAIR, vec![iterator(), Value::external_instance("bool", Vec::new())]))
        }
        "at" if is_container(name) => Some(indexed(name, args)),
        "back" | "front" | "top" if is_sequence(name) => Some(first.clone()),
        "begin" | "cbegin" | "crbegin" | "end" | "find" | "lower_bound" | "rbegin" | "upper_bound"
            if is_container(name) =>
        {
            Some(iterator())
        }
        _ => None,
    }
}

/// The names. Each name that nothing in the project defines is looked up among them.
static STANDARD: &[&str] = word_list!("standard.txt");
