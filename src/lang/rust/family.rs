//! Families of library types, and the values that their methods make.

use std::sync::Arc;

use super::library::short;
use crate::resolve::eval::Evaluator;
use crate::resolve::value::Value;

/// What kind of library type a value has, as far as its methods differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    Option,
    Result,
    Map,
    /// Mutexes, cells: what they hold is got by a method.
    Cell,
    /// Iterators, collections, slices, ranges: they have elements.
    Sequence,
    Other,
}

/// The family of a value.
pub fn family(value: &Value) -> Family {
    let Value::ExternalInstance { name, .. } = value else { return Family::Other };
    match short(name) {
        "Option" => Family::Option,
        "Result" => Family::Result,
        "HashMap" | "BTreeMap" | "IndexMap" | "FxHashMap" | "DashMap" | "Entry" => Family::Map,
        "Mutex" | "RwLock" | "RefCell" | "Cell" | "OnceLock" | "OnceCell" | "Weak" | "JoinHandle" | "LocalKey"
        | "Receiver" | "UnsafeCell" => Family::Cell,
        "[]"
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
        | "Slice" => Family::Sequence,
        _ => Family::Other,
    }
}

/// An option of something.
pub fn option(inner: Value) -> Value {
    Value::external_instance("std.option.Option", vec![inner])
}

/// An iterator over something.
pub fn iterator(element: Value) -> Value {
    Value::external_instance("std.iter.Iterator", vec![element])
}

/// A string.
pub fn text() -> Value {
    Value::external_instance("str", Vec::new())
}

/// Something of another crate of which nothing more is known than that it is not of this repository. Its members lead
/// nowhere, and their names are no reason to guess.
pub fn opaque() -> Value {
    Value::Tuple(Arc::new([]))
}

/// Methods whose result the context decides.
const INFERRED_METHODS: [&str; 13] = [
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

/// True for a method whose result the context decides.
pub fn is_inferred(method: &str) -> bool {
    INFERRED_METHODS.contains(&method)
}

/// What calling a closure or function value gives.
pub fn returned(function: &Value) -> Value {
    match function {
        Value::Function { result, .. } => (**result).clone(),
        _ => Value::Unknown,
    }
}

/// What calling an argument gives: a closure, or a function or variant named (`.map(Foo::new)`).
pub fn called(eval: &mut Evaluator<'_>, function: &Value) -> Value {
    match function {
        Value::Symbol { symbol, bound } if eval.world.definition(*symbol).kind.is_callable() => {
            eval.result_of(*symbol).substitute(bound)
        }
        Value::Symbol { symbol, bound } => {
            let whole = Value::Symbol { symbol: *symbol, bound: bound.clone() };
            eval.instantiate(&whole, Vec::new())
        }
        // A variant read as a value is a value of its enum already.
        Value::Instance { .. } => function.clone(),
        other => returned(other),
    }
}
