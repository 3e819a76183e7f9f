//! Families of library types with the same methods, and constructors of their values.

use std::sync::Arc;

use super::last_segment;
use crate::lang::rust::builtins::SLICE;
use crate::resolve::eval::Evaluator;
use crate::resolve::value::Value;

/// A family of library types with the same methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StdType {
    Option,
    Result,
    Map,
    /// Mutexes and cells, whose methods return their content.
    Cell,
    /// Iterators, collections, slices and ranges.
    Sequence,
    Other,
}

/// Returns the family of a value's type.
pub fn std_type(value: &Value) -> StdType {
    let Value::ExternalInstance { name, .. } = value else { return StdType::Other };
    match last_segment(name) {
        "Option" => StdType::Option,
        "Result" => StdType::Result,
        "HashMap" | "BTreeMap" | "IndexMap" | "FxHashMap" | "DashMap" | "Entry" => StdType::Map,
        "Mutex" | "RwLock" | "RefCell" | "Cell" | "OnceLock" | "OnceCell" | "Weak" | "JoinHandle" | "LocalKey"
        | "Receiver" | "UnsafeCell" => StdType::Cell,
        SLICE
        | "Vec"
        | "VecDeque"
        | "HashSet"
        | "BTreeSet"
        | "BinaryHeap"
        | "Iterator"
        | "IntoIterator"
        | "Peekable"
        | "SmallVec"
        | "ArrayVec"
        | "IndexSet"
        | "FxHashSet"
        | "Range"
        | "DoubleEndedIterator"
        | "Iter"
        | "IterMut"
        | "IntoIter"
        | "LinkedList"
        | "Drain"
        | "Rev"
        | "ExactSizeIterator"
        | "Chunks"
        | "Fuse"
        | "Take"
        | "Skip"
        | "Stream"
        | "ThinVec"
        | "Enumerate"
        | "Slice" => StdType::Sequence,
        _ => StdType::Other,
    }
}

/// Returns an `Option<inner>`.
pub fn option(inner: Value) -> Value {
    Value::external_instance("std.option.Option", vec![inner])
}

/// Returns an iterator over `element`.
pub fn iterator(element: Value) -> Value {
    Value::external_instance("std.iter.Iterator", vec![element])
}

/// Returns a string slice.
pub fn str_value() -> Value {
    Value::external_instance("str", Vec::new())
}

/// Returns an external value of unknown type. Its members are external too, so they are not guessed by name.
pub fn opaque() -> Value {
    Value::Tuple(Arc::new([]))
}

/// Methods whose result type depends on the context.
const INFERRED_RESULT_METHODS: [&str; 13] = [
    "collect",
    "deserialize",
    "downcast",
    "downcast_mut",
    "downcast_ref",
    "get",
    "into",
    "into_inner",
    "parse",
    "product",
    "read",
    "sum",
    "try_into",
];

/// Returns whether the context determines a method's result type.
pub fn has_inferred_result(method: &str) -> bool {
    INFERRED_RESULT_METHODS.contains(&method)
}

/// Returns the result of calling a closure or function value.
pub fn return_value(function: &Value) -> Value {
    match function {
        Value::Function { result, .. } => (**result).clone(),
        _ => Value::Unknown,
    }
}

/// Returns the result of calling an argument: a closure, a named function or a variant (`.map(Foo::new)`).
pub fn call_result(eval: &mut Evaluator<'_>, function: &Value) -> Value {
    match function {
        Value::Symbol { symbol, bound } if eval.world.definition(*symbol).kind.is_callable() => {
            eval.result_of(*symbol).substitute(bound)
        }
        Value::Symbol { symbol, bound } => {
            let whole = Value::Symbol { symbol: *symbol, bound: bound.clone() };
            eval.instantiate(&whole, Vec::new())
        }
        // A variant used as a value is already an instance of its enum.
        Value::Instance { .. } => function.clone(),
        other => return_value(other),
    }
}
