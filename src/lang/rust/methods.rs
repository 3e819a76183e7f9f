//! What the methods of the standard library's types give, and what they hand to closures.

use std::sync::Arc;

use super::library::short;
use crate::facts::{Container, name_key};
use crate::resolve::eval::Evaluator;
use crate::resolve::value::{SymbolRef, Value};

/// What kind of library type a value has, as far as its methods differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    Option,
    Result,
    Map,
    /// Mutexes, cells: what they hold is got by a method.
    Cell,
    /// Iterators, collections, slices, ranges: they have elements.
    Sequence,
    Other,
}

fn family(value: &Value) -> Family {
    let Value::ForeignInstance { name, .. } = value else { return Family::Other };
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
        | "Collected"
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

fn option(inner: Value) -> Value {
    Value::foreign_instance("std.option.Option", vec![inner])
}

fn iterator(element: Value) -> Value {
    Value::foreign_instance("Iterator", vec![element])
}

fn text() -> Value {
    Value::foreign_instance("str", Vec::new())
}

/// Something of another crate of which nothing more is known than that it is not of this repository. Its members lead
/// nowhere, and their names are no reason to guess.
fn opaque() -> Value {
    Value::Tuple(Arc::new([]))
}

/// Methods whose result the context decides.
const INFERRED_METHODS: &[&str] = &[
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

/// What calling a closure or function value gives.
pub fn returned(function: &Value) -> Value {
    match function {
        Value::Function { result, .. } => (**result).clone(),
        _ => Value::Unknown,
    }
}

/// What calling an argument gives: a closure, or a function or variant named (`.map(Foo::new)`).
fn called(eval: &mut Evaluator<'_>, function: &Value) -> Value {
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

/// A member that is more than a dotted name.
pub fn member(eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
    if let Value::Tuple(parts) = receiver
        && let Ok(place) = name.parse::<usize>()
    {
        return parts.get(place).cloned();
    }
    if let Value::ForeignInstance { args, .. } = receiver {
        let place = usize::from(matches!(name, "Err" | "Right"));
        if name.starts_with(|c: char| c.is_ascii_uppercase()) {
            // The fields of a foreign enum's variant: one of its type arguments.
            return Some(Value::Tuple(args.get(place).cloned().into_iter().collect()));
        }
        if name.parse::<usize>().is_ok() {
            return Some(Value::Unknown);
        }
    }
    if let Some(found) = extension_method(eval, receiver, name) {
        return Some(found);
    }
    match receiver {
        // What the type's derived and foreign traits give: the receiver must not be forgotten.
        Value::Instance { .. } | Value::Parameter(_) | Value::Tuple(_) => {
            Some(Value::ForeignMethod { receiver: Arc::new(receiver.clone()), name: name.into() })
        }
        _ => None,
    }
}

/// What the repository's own types have without declaring it, where the receiver must not be forgotten: copies of
/// themselves, and for iterators the library's adapters.
pub fn missing(eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
    if let Value::Symbol { symbol, .. } = receiver
        && eval.world.definition(*symbol).kind.is_type()
    {
        return missing_of_type(eval, receiver, name);
    }
    if !matches!(receiver, Value::Instance { .. } | Value::Parameter(_)) {
        return None;
    }
    if let Some(found) = extension_method(eval, receiver, name) {
        return Some(found);
    }
    let keeps = matches!(
        name,
        "clone"
            | "to_owned"
            | "borrow"
            | "borrow_mut"
            | "as_ref"
            | "as_mut"
            | "by_ref"
            | "deref"
            | "deref_mut"
            | "into_iter"
    );
    let is_iterator = || ITERATOR_METHODS.binary_search(&name).is_ok();
    (keeps || (is_iterator() && !own_element(eval, receiver).is_unknown()))
        .then(|| Value::ForeignMethod { receiver: Arc::new(receiver.clone()), name: name.into() })
}

/// What a type of the repository has without declaring it: derived constructors, and through an alias whatever the
/// foreign type behind it has.
fn missing_of_type(eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
    let made = eval.instantiate(receiver, Vec::new());
    match (&made, name) {
        (Value::ForeignInstance { name: owner, args }, _) => {
            Some(Value::Foreign { name: format!("{owner}.{name}").into(), args: args.clone() })
        }
        (_, "default" | "clone") => Some(Value::Function { params: Arc::new([]), result: Arc::new(made) }),
        _ => None,
    }
}

/// Methods of iterators that hand elements on.
const ITERATOR_METHODS: &[&str] = &[
    "all",
    "any",
    "by_ref",
    "chain",
    "collect",
    "enumerate",
    "filter",
    "filter_map",
    "find",
    "find_map",
    "flat_map",
    "flatten",
    "fold",
    "for_each",
    "inspect",
    "iter",
    "last",
    "map",
    "map_while",
    "max_by_key",
    "min_by_key",
    "next",
    "nth",
    "partition",
    "peekable",
    "position",
    "rev",
    "skip",
    "skip_while",
    "step_by",
    "take",
    "take_while",
    "try_fold",
    "try_for_each",
    "zip",
];

/// A method that a trait of the repository adds to a foreign type, or to every type that its bounds allow.
fn extension_method(eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
    if !matches!(receiver, Value::ForeignInstance { .. } | Value::Instance { .. }) {
        return None;
    }
    let world = eval.world;
    let mut of_trait = None;
    for symbol in world.named(super::crates::RUST, name_key(name)) {
        let definition = world.definition(*symbol);
        if !definition.kind.is_callable() || definition.flags.is_static {
            continue;
        }
        match definition.container {
            Container::Extension(block) => {
                let target = world.extensions().targets.get(&(symbol.file, block.0));
                if target.is_some_and(|target| same_foreign(target, receiver)) {
                    return Some(Value::symbol(*symbol));
                }
                if let Some(Value::Parameter(parameter)) = target
                    && of_trait.is_none()
                    && satisfies(eval, receiver, *parameter)
                {
                    of_trait = Some(*symbol);
                }
            }
            Container::Definition(owner) => {
                let owner = SymbolRef { file: symbol.file, definition: owner.0 };
                if of_trait.is_none() && implemented_for(eval, owner, receiver) {
                    of_trait = Some(*symbol);
                }
            }
            Container::Module => {}
        }
    }
    of_trait.map(Value::symbol)
}

/// True when a value may stand for a type parameter: it has every trait of the repository that bounds it.
fn satisfies(eval: &mut Evaluator<'_>, value: &Value, parameter: crate::resolve::value::ParameterRef) -> bool {
    let bounds = eval.bounds(parameter);
    bounds.iter().all(|bound| match bound {
        Value::Instance { symbol, .. } => match value {
            Value::Instance { .. } => {
                let ancestors = eval.ancestors(value);
                ancestors.iter().any(|known| matches!(known, Value::Instance { symbol: own, .. } if own == symbol))
            }
            _ => implemented_for(eval, *symbol, value),
        },
        _ => true,
    })
}

/// True when two values are of the same foreign type.
fn same_foreign(target: &Value, receiver: &Value) -> bool {
    match (target, receiver) {
        (
            Value::ForeignInstance { name: left, .. },
            Value::ForeignInstance { name: right, .. } | Value::Foreign { name: right, .. },
        ) => short(left) == short(right),
        _ => false,
    }
}

/// True when a block implements a trait for this foreign type. The trait's default methods are then its own.
fn implemented_for(eval: &mut Evaluator<'_>, owner: SymbolRef, receiver: &Value) -> bool {
    let world = eval.world;
    let key = name_key(world.name(owner));
    world.extensions().others.iter().any(|block| {
        let Some(target) = world.extensions().targets.get(block) else { return false };
        if !same_foreign(target, receiver) {
            return false;
        }
        let Some(implements) = world.extension(*block).implements else { return false };
        last_name(eval, block.0, implements) == Some(key)
    })
}

/// The last name of a path, without evaluating anything.
fn last_name(eval: &Evaluator<'_>, file: u32, expr: crate::facts::ExprId) -> Option<crate::facts::NameKey> {
    use crate::facts::Expr;
    match &eval.world.code(file).expressions[expr.0 as usize] {
        Expr::Name(name) | Expr::Member { name, .. } => Some(eval.world.outline(file).names.key(*name)),
        Expr::Apply { base, .. } => last_name(eval, file, *base),
        _ => None,
    }
}

/// What iterating over a value yields.
pub fn element(eval: &mut Evaluator<'_>, value: &Value) -> Value {
    match family(value) {
        Family::Map => Value::Tuple(Arc::new([value.argument(0), value.argument(1)])),
        Family::Other => match value {
            Value::Instance { .. } | Value::Parameter(_) => own_element(eval, value),
            other => other.argument(0),
        },
        _ => value.argument(0),
    }
}

/// The elements of a type of the repository: what its `next` gives, or the elements of what its `into_iter` gives.
fn own_element(eval: &mut Evaluator<'_>, value: &Value) -> Value {
    for name in ["next", "into_iter", "iter"] {
        let Some(found) = eval.members(value, name).into_iter().next() else { continue };
        let result = eval.result_of(found.symbol).substitute(&found.bound);
        let inner = if name == "next" { unwrapped(eval, &result) } else { element_unless(eval, &result, value) };
        if !inner.is_unknown() {
            return inner;
        }
    }
    match value {
        Value::Parameter(parameter) => {
            let bounds = eval.bounds(*parameter);
            let known = bounds.iter().find(|bound| matches!(bound, Value::ForeignInstance { .. }));
            known.map_or(Value::Unknown, |bound| bound.argument(0))
        }
        _ => Value::Unknown,
    }
}

fn element_unless(eval: &mut Evaluator<'_>, result: &Value, value: &Value) -> Value {
    if result == value { Value::Unknown } else { element(eval, result) }
}

/// What indexing a value gives.
pub fn indexed(eval: &mut Evaluator<'_>, value: &Value) -> Value {
    match (family(value), value) {
        (Family::Map, _) => value.argument(1),
        (_, Value::Instance { .. }) => match eval.members(value, "index").into_iter().next() {
            Some(found) => eval.result_of(found.symbol).substitute(&found.bound),
            None => match dereferenced(eval, value) {
                Some(inner) if inner != *value => indexed(eval, &inner),
                _ => Value::Unknown,
            },
        },
        _ => value.argument(0),
    }
}

/// What `?`, `.await` or `Some(…)` takes out of a value.
pub fn unwrapped(_eval: &mut Evaluator<'_>, value: &Value) -> Value {
    match value {
        Value::ForeignInstance { name, args } => match short(name) {
            "Option" | "Result" | "Future" | "Poll" | "JoinHandle" | "ControlFlow" => {
                args.first().cloned().unwrap_or(Value::Unknown)
            }
            _ => Value::Unknown,
        },
        _ => Value::Unknown,
    }
}

/// What a value's `Deref` leads to.
pub fn dereferenced(eval: &mut Evaluator<'_>, value: &Value) -> Option<Value> {
    if !matches!(value, Value::Instance { .. }) {
        return None;
    }
    let key = name_key("deref");
    let world = eval.world;
    let Value::Instance { symbol, .. } = value else { return None };
    let blocks = world.extensions().of_type.get(symbol)?;
    let (block, found) =
        blocks.iter().find_map(|block| Some((*block, *world.extension_members(*block, key).first()?)))?;
    let bound = eval.extension_substitution(block, value);
    let target = world.extension_members(block, name_key("Target")).first().copied();
    let result = match target {
        Some(alias) => eval.instantiate(&Value::symbol(alias), Vec::new()),
        None => eval.result_of(found),
    };
    Some(result.substitute(&bound))
}

/// What a method of a foreign value gives; also what derived and foreign traits give on the repository's own types.
pub fn call(eval: &mut Evaluator<'_>, receiver: &Value, name: &str, args: &[Value]) -> Value {
    let first = args.first().cloned().unwrap_or(Value::Unknown);
    match name {
        "clone" | "to_owned" | "borrow" | "borrow_mut" | "as_ref" | "as_mut" | "deref" | "deref_mut" | "by_ref"
        | "cloned" | "copied" | "to_vec" | "into_boxed_slice" | "as_slice" | "as_mut_slice" | "as_deref"
        | "as_deref_mut" | "into_owned" | "to_mut" | "into"
            if !matches!(family(receiver), Family::Cell | Family::Map) =>
        {
            return match receiver {
                Value::ForeignInstance { name: owner, args } if is_conversion(short(owner)) => {
                    args.first().cloned().unwrap_or(Value::Unknown)
                }
                _ if name == "into" => Value::Unknown,
                _ => receiver.clone(),
            };
        }
        "to_string" | "to_lowercase" | "to_uppercase" => {
            return Value::foreign_instance("std.string.String", Vec::new());
        }
        "as_str" | "trim" => return text(),
        "len" | "count" | "capacity" => return Value::foreign_instance("usize", Vec::new()),
        "then" => return option(called(eval, &first)),
        "then_some" => return option(first),
        _ => {}
    }
    match family(receiver) {
        Family::Option | Family::Result => wrapper_call(eval, receiver, name, args),
        Family::Map => map_call(receiver, name, args),
        Family::Cell => cell_call(eval, receiver, name, args),
        Family::Sequence => sequence_call(eval, receiver, name, args),
        Family::Other => other_call(eval, receiver, name, args),
    }
}

/// True for a value that holds nothing of the repository.
fn is_foreign(value: &Value) -> bool {
    match value {
        Value::ForeignInstance { args, .. } | Value::Foreign { args, .. } => args.iter().all(is_foreign),
        Value::Tuple(parts) => parts.iter().all(is_foreign),
        _ => false,
    }
}

/// Traits that say what a value can be turned into.
fn is_conversion(name: &str) -> bool {
    matches!(name, "AsRef" | "AsMut" | "Borrow" | "BorrowMut" | "Deref" | "DerefMut" | "Into")
}

fn other_call(eval: &mut Evaluator<'_>, receiver: &Value, name: &str, args: &[Value]) -> Value {
    match receiver {
        Value::ForeignInstance { name: owner, .. } if matches!(short(owner), "str" | "String") => match name {
            "chars" => iterator(Value::foreign_instance("char", Vec::new())),
            "bytes" => iterator(Value::foreign_instance("u8", Vec::new())),
            "lines" | "split" | "split_whitespace" | "splitn" | "rsplit" | "split_terminator" => iterator(text()),
            "char_indices" => {
                let pair = [Value::foreign_instance("usize", Vec::new()), Value::foreign_instance("char", Vec::new())];
                iterator(Value::Tuple(Arc::new(pair)))
            }
            name if INFERRED_METHODS.binary_search(&name).is_ok() => Value::Unknown,
            _ => opaque(),
        },
        Value::Tuple(parts) if parts.is_empty() && INFERRED_METHODS.binary_search(&name).is_err() => opaque(),
        Value::ForeignInstance { args: known, .. } if known.is_empty() && args.iter().all(is_foreign) => {
            if INFERRED_METHODS.binary_search(&name).is_ok() {
                Value::Unknown
            } else {
                opaque()
            }
        }
        Value::Instance { .. } | Value::Parameter(_) => {
            // An iterator of the repository has all of the library's adapters.
            let element = own_element(eval, receiver);
            if element.is_unknown() {
                return Value::Unknown;
            }
            sequence_call(eval, &iterator(element), name, args)
        }
        _ => Value::Unknown,
    }
}

fn wrapper_call(eval: &mut Evaluator<'_>, receiver: &Value, name: &str, args: &[Value]) -> Value {
    let (inner, error) = (receiver.argument(0), receiver.argument(1));
    let is_option = family(receiver) == Family::Option;
    let wrap = |value: Value| match is_option {
        true => option(value),
        false => Value::foreign_instance("std.result.Result", vec![value, error.clone()]),
    };
    let first = args.first().cloned().unwrap_or(Value::Unknown);
    let result = |value: Value, error: Value| Value::foreign_instance("std.result.Result", vec![value, error]);
    match name {
        "unwrap" | "expect" | "unwrap_or" | "unwrap_or_default" | "unwrap_or_else" | "unwrap_unchecked" | "insert"
        | "get_or_insert" | "get_or_insert_with"
            if inner.is_unknown() =>
        {
            match name {
                "unwrap_or" | "insert" | "get_or_insert" => first,
                "unwrap_or_else" | "get_or_insert_with" => called(eval, &first),
                _ => Value::Unknown,
            }
        }
        "unwrap" | "expect" | "unwrap_or" | "unwrap_or_default" | "unwrap_or_else" | "unwrap_unchecked" | "insert"
        | "get_or_insert" | "get_or_insert_with" | "into_ok" => inner,
        "unwrap_err" | "expect_err" | "into_err" => error,
        "ok" => option(inner),
        "err" => option(error),
        "ok_or" => result(inner, first),
        "ok_or_else" => result(inner, called(eval, &first)),
        "take" | "replace" | "filter" | "or" | "or_else" | "xor" => receiver.clone(),
        "with_context" | "context" | "chain_err" => result(inner, Value::foreign_instance("anyhow.Error", Vec::new())),
        "map" => wrap(called(eval, &first)),
        "map_err" => result(inner, called(eval, &first)),
        "and_then" => called(eval, &first),
        "and" => first,
        "map_or" | "map_or_else" => {
            let mapped = args.get(1).map_or(Value::Unknown, |function| called(eval, function));
            if mapped.is_unknown() && name == "map_or" { first } else { mapped }
        }
        "flatten" => inner,
        "transpose" => match &inner {
            Value::ForeignInstance { name, args } if is_option && short(name) == "Result" => {
                let held = args.first().cloned().unwrap_or(Value::Unknown);
                result(option(held), args.get(1).cloned().unwrap_or(Value::Unknown))
            }
            Value::ForeignInstance { args, .. } => {
                let held = args.first().cloned().unwrap_or(Value::Unknown);
                option(result(held, error))
            }
            _ => Value::Unknown,
        },
        "zip" => option(Value::Tuple(Arc::new([inner, first.argument(0)]))),
        "iter" | "iter_mut" | "into_iter" => iterator(inner),
        _ => Value::Unknown,
    }
}

fn map_call(receiver: &Value, name: &str, args: &[Value]) -> Value {
    let (key, value) = (receiver.argument(0), receiver.argument(1));
    let pair = Value::Tuple(Arc::new([key.clone(), value.clone()]));
    let same = |name: &str| Value::foreign_instance(name, vec![key.clone(), value.clone()]);
    match name {
        "get" | "get_mut" | "remove" | "insert" => option(value),
        "get_key_value" | "first_key_value" | "last_key_value" | "pop_first" | "pop_last" | "remove_entry" => {
            option(pair)
        }
        "keys" | "into_keys" => iterator(key),
        "values" | "values_mut" | "into_values" => iterator(value),
        "iter" | "iter_mut" | "into_iter" | "drain" | "range" | "extract_if" => iterator(pair),
        "entry" => same("Entry"),
        "or_insert" | "or_insert_with" | "or_default" | "or_insert_with_key" if value.is_unknown() => {
            args.first().cloned().unwrap_or(Value::Unknown)
        }
        "or_insert" | "or_insert_with" | "or_default" | "or_insert_with_key" => value,
        "and_modify" | "clone" | "as_ref" | "as_mut" | "borrow" => receiver.clone(),
        _ => Value::Unknown,
    }
}

fn cell_call(eval: &mut Evaluator<'_>, receiver: &Value, name: &str, args: &[Value]) -> Value {
    let inner = receiver.argument(0);
    let Value::ForeignInstance { name: owner, .. } = receiver else { return Value::Unknown };
    let result = |value: Value| Value::foreign_instance("std.result.Result", vec![value, Value::Unknown]);
    match (short(owner), name) {
        ("RefCell", "try_borrow" | "try_borrow_mut") => result(inner),
        ("OnceLock" | "OnceCell", "get" | "get_mut") => option(inner),
        ("OnceLock" | "OnceCell", "get_or_try_init") => result(inner),
        ("Mutex" | "RwLock", "lock" | "read" | "write" | "try_lock" | "into_inner" | "get_mut") => result(inner),
        ("JoinHandle", "join") | ("Receiver", "recv" | "try_recv") => result(inner),
        ("Receiver", "iter" | "into_iter" | "try_iter") => iterator(inner),
        ("Weak", "upgrade") => option(inner),
        ("LocalKey", "with") => args.first().map_or(Value::Unknown, |function| called(eval, function)),
        (_, "clone") => receiver.clone(),
        _ => inner,
    }
}

fn sequence_call(eval: &mut Evaluator<'_>, receiver: &Value, name: &str, args: &[Value]) -> Value {
    let item = receiver.argument(0);
    let first = args.first().cloned().unwrap_or(Value::Unknown);
    let number = || Value::foreign_instance("usize", Vec::new());
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
            iterator(Value::foreign_instance("[]", vec![item]))
        }
        "enumerate" => iterator(Value::Tuple(Arc::new([number(), item]))),
        "zip" => {
            let other = element(eval, &first);
            iterator(Value::Tuple(Arc::new([item, other])))
        }
        "map" => iterator(called(eval, &first)),
        "filter_map" | "map_while" => {
            let inner = called(eval, &first);
            iterator(unwrapped(eval, &inner))
        }
        "flat_map" => {
            let inner = called(eval, &first);
            iterator(element(eval, &inner))
        }
        "flatten" => iterator(element(eval, &item)),
        "scan" => iterator(args.get(1).map_or(Value::Unknown, |function| called(eval, function)).argument(0)),
        "next" | "last" | "nth" | "first" | "min" | "max" | "min_by" | "max_by" | "min_by_key" | "max_by_key"
        | "find" | "pop" | "pop_front" | "pop_back" | "pop_first" | "pop_last" | "first_mut" | "last_mut" | "peek"
        | "peek_mut" | "reduce" | "next_back" | "front" | "back" | "front_mut" | "back_mut" | "next_if" | "rfind"
        | "get_mut" | "replace" | "next_if_eq" => option(item),
        "get" | "take_first" => option(item),
        "find_map" => called(eval, &first),
        "fold" => {
            let result = args.get(1).map_or(Value::Unknown, |function| called(eval, function));
            if first.is_unknown() { result } else { first }
        }
        "try_fold" => args.get(1).map_or(Value::Unknown, |function| called(eval, function)),
        "try_for_each" => called(eval, &first),
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

/// A collection of whatever kind the context asks for; of results, it may as well be a result.
fn collected(item: &Value) -> Value {
    Value::foreign_instance("Collected", vec![item.clone()])
}

/// What a method hands to the `parameter`-th parameter of the closure that is its `argument`-th argument.
pub fn closure_parameter(
    eval: &mut Evaluator<'_>,
    receiver: &Value,
    name: &str,
    args: &[Value],
    argument: u16,
    parameter: u16,
) -> Value {
    let inner = receiver.argument(0);
    match family(receiver) {
        Family::Option => inner,
        Family::Result => match name {
            "map_err" | "unwrap_or_else" | "or_else" | "inspect_err" | "is_err_and" => receiver.argument(1),
            "map_or_else" if argument == 0 => receiver.argument(1),
            _ => inner,
        },
        Family::Map => match (name, parameter) {
            ("and_modify", _) => receiver.argument(1),
            ("retain" | "extract_if", 0) | ("or_insert_with_key", _) => inner,
            ("retain" | "extract_if", _) => receiver.argument(1),
            _ => Value::Tuple(Arc::new([inner, receiver.argument(1)])),
        },
        Family::Cell => inner,
        Family::Sequence => sequence_parameter(inner, name, args, parameter),
        Family::Other => match receiver {
            Value::Instance { .. } | Value::Parameter(_) => {
                let element = own_element(eval, receiver);
                sequence_parameter(element, name, args, parameter)
            }
            Value::ForeignInstance { name: owner, .. } if matches!(short(owner), "str" | "String") => {
                Value::foreign_instance("char", Vec::new())
            }
            _ => Value::Unknown,
        },
    }
}

fn sequence_parameter(element: Value, name: &str, args: &[Value], parameter: u16) -> Value {
    match (name, parameter) {
        ("fold" | "try_fold" | "scan" | "rfold", 0) => args.first().cloned().unwrap_or(Value::Unknown),
        ("resize_with" | "then" | "map_or", _) => Value::Unknown,
        _ => element,
    }
}
