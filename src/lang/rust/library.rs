//! The standard library's names: the prelude, how its types are written down, what its functions give.
//!
//! Smart pointers (`Box`, `Rc`, `Arc`, `Cow`, `Pin`) are transparent: a value of `Box<T>` is taken for a `T`, whose
//! members are what anyone calls on it.

use super::methods;
use crate::resolve::eval::Evaluator;
use crate::resolve::value::Value;

/// Types of the prelude and where they are.
const PRELUDE: &[(&str, &str)] = &[
    ("AsMut", "std.convert.AsMut"),
    ("AsRef", "std.convert.AsRef"),
    ("Box", "std.boxed.Box"),
    ("Clone", "std.clone.Clone"),
    ("Copy", "std.marker.Copy"),
    ("Debug", "std.fmt.Debug"),
    ("Default", "std.default.Default"),
    ("DoubleEndedIterator", "std.iter.DoubleEndedIterator"),
    ("Drop", "std.ops.Drop"),
    ("Eq", "std.cmp.Eq"),
    ("Err", "std.result.Result.Err"),
    ("ExactSizeIterator", "std.iter.ExactSizeIterator"),
    ("Extend", "std.iter.Extend"),
    ("Fn", "std.ops.Fn"),
    ("FnMut", "std.ops.FnMut"),
    ("FnOnce", "std.ops.FnOnce"),
    ("From", "std.convert.From"),
    ("FromIterator", "std.iter.FromIterator"),
    ("Future", "std.future.Future"),
    ("Hash", "std.hash.Hash"),
    ("Into", "std.convert.Into"),
    ("IntoFuture", "std.future.IntoFuture"),
    ("IntoIterator", "std.iter.IntoIterator"),
    ("Iterator", "std.iter.Iterator"),
    ("None", "std.option.Option.None"),
    ("Ok", "std.result.Result.Ok"),
    ("Option", "std.option.Option"),
    ("Ord", "std.cmp.Ord"),
    ("PartialEq", "std.cmp.PartialEq"),
    ("PartialOrd", "std.cmp.PartialOrd"),
    ("Result", "std.result.Result"),
    ("Send", "std.marker.Send"),
    ("Sized", "std.marker.Sized"),
    ("Some", "std.option.Option.Some"),
    ("String", "std.string.String"),
    ("Sync", "std.marker.Sync"),
    ("ToOwned", "std.borrow.ToOwned"),
    ("ToString", "std.string.ToString"),
    ("TryFrom", "std.convert.TryFrom"),
    ("TryInto", "std.convert.TryInto"),
    ("Unpin", "std.marker.Unpin"),
    ("Vec", "std.vec.Vec"),
    ("drop", "std.mem.drop"),
];

/// Macros of the standard library that a repository's own macro of that name does not hide by chance.
const MACROS: &[&str] = &[
    "addr_of",
    "assert",
    "assert_eq",
    "assert_ne",
    "cfg",
    "column",
    "compile_error",
    "concat",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "env",
    "eprint",
    "eprintln",
    "file",
    "format",
    "format_args",
    "include",
    "include_bytes",
    "include_str",
    "line",
    "macro_rules",
    "matches",
    "module_path",
    "option_env",
    "panic",
    "pin",
    "print",
    "println",
    "stringify",
    "thread_local",
    "todo",
    "try",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// Method names that the standard library's own types have, so that a unique definition in the repository proves
/// nothing about a receiver of unknown type.
const UBIQUITOUS: &[&str] = &[
    "abs",
    "add",
    "all",
    "and",
    "and_then",
    "any",
    "append",
    "arg",
    "args",
    "as_bytes",
    "as_deref",
    "as_mut",
    "as_path",
    "as_ptr",
    "as_ref",
    "as_slice",
    "as_str",
    "await",
    "borrow",
    "borrow_mut",
    "build",
    "by_ref",
    "bytes",
    "ceil",
    "chain",
    "chars",
    "checked_add",
    "checked_sub",
    "chunks",
    "clear",
    "clone",
    "cloned",
    "close",
    "cmp",
    "collect",
    "concat",
    "contains",
    "contains_key",
    "copied",
    "count",
    "current_dir",
    "dedup",
    "default",
    "deref",
    "deserialize",
    "display",
    "drain",
    "drop",
    "end",
    "ends_with",
    "entry",
    "enumerate",
    "env",
    "eq",
    "err",
    "escape",
    "exists",
    "expect",
    "extend",
    "extension",
    "fetch_add",
    "file_name",
    "file_type",
    "fill",
    "filter",
    "filter_map",
    "find",
    "finish",
    "first",
    "flat_map",
    "flatten",
    "floor",
    "flush",
    "fmt",
    "fold",
    "for_each",
    "from",
    "from_str",
    "ge",
    "get",
    "get_mut",
    "get_or_insert_with",
    "gt",
    "hash",
    "id",
    "index",
    "insert",
    "inspect",
    "into",
    "into_inner",
    "into_iter",
    "into_string",
    "is_absolute",
    "is_char_boundary",
    "is_digit",
    "is_dir",
    "is_empty",
    "is_err",
    "is_file",
    "is_none",
    "is_ok",
    "is_some",
    "is_symlink",
    "iter",
    "iter_mut",
    "join",
    "keys",
    "kind",
    "last",
    "le",
    "len",
    "lines",
    "load",
    "lock",
    "lt",
    "map",
    "map_err",
    "map_or",
    "matches",
    "max",
    "max_by",
    "metadata",
    "min",
    "modified",
    "name",
    "ne",
    "neg",
    "new",
    "next",
    "next_back",
    "not",
    "nth",
    "ok",
    "ok_or",
    "ok_or_else",
    "open",
    "or",
    "or_default",
    "or_else",
    "or_insert",
    "or_insert_with",
    "output",
    "parent",
    "parse",
    "partial_cmp",
    "partition",
    "path",
    "peek",
    "peekable",
    "poll",
    "pop",
    "position",
    "pow",
    "product",
    "push",
    "push_back",
    "push_str",
    "range",
    "read",
    "read_line",
    "read_to_end",
    "read_to_string",
    "recv",
    "reduce",
    "remove",
    "repeat",
    "replace",
    "reserve",
    "resize",
    "retain",
    "rev",
    "reverse",
    "rfind",
    "run",
    "send",
    "serialize",
    "set",
    "shrink_to_fit",
    "size",
    "skip",
    "skip_while",
    "slice",
    "sort",
    "sort_by",
    "sort_by_key",
    "sort_unstable",
    "source",
    "spawn",
    "split",
    "split_at",
    "split_whitespace",
    "splitn",
    "start",
    "starts_with",
    "status",
    "stderr",
    "stdin",
    "stdout",
    "step_by",
    "store",
    "strip_prefix",
    "strip_suffix",
    "sub",
    "sum",
    "swap",
    "take",
    "take_while",
    "then",
    "then_some",
    "to_ascii_lowercase",
    "to_lowercase",
    "to_owned",
    "to_path_buf",
    "to_str",
    "to_string",
    "to_string_lossy",
    "to_uppercase",
    "to_vec",
    "trim",
    "trim_end",
    "trim_start",
    "truncate",
    "try_from",
    "try_into",
    "unwrap",
    "unwrap_err",
    "unwrap_or",
    "unwrap_or_default",
    "unwrap_or_else",
    "unzip",
    "update",
    "values",
    "wait",
    "windows",
    "with_capacity",
    "with_extension",
    "wrapping_add",
    "write",
    "write_all",
    "write_fmt",
    "write_str",
    "zip",
];

/// A name of the prelude, or of the language.
pub fn prelude(name: &str) -> Option<Value> {
    let found = PRELUDE.binary_search_by_key(&name, |(known, _)| known).ok()?;
    Some(Value::foreign(PRELUDE[found].1))
}

/// True for a macro that the standard library has.
pub fn is_macro(name: &str) -> bool {
    MACROS.binary_search(&name).is_ok()
}

/// True for a method name that says nothing by itself.
pub fn is_ubiquitous(name: &str) -> bool {
    UBIQUITOUS.binary_search(&name).is_ok()
}

/// The last part of a dotted name.
pub fn short(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
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
        return Value::foreign_instance("Range", args);
    }
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
            let error = Value::foreign_instance(&name.replace("Result", "Error"), Vec::new());
            Value::foreign_instance("std.result.Result", vec![args[0].clone(), error])
        }
        _ => Value::foreign_instance(name, args),
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
            Value::foreign_instance(target, vec![part(0), part(1)])
        }
        // Collecting results gives a result of a collection.
        ("Result" | "Option", Value::ForeignInstance { name, args }) if short(name) == target => {
            let inner = args.first().cloned().unwrap_or(Value::Unknown);
            let held = match declared.first() {
                Some(Value::ForeignInstance { name, .. }) => Value::foreign_instance(name, vec![inner]),
                _ => inner,
            };
            let error = args.get(1).cloned().unwrap_or(Value::Unknown);
            Value::foreign_instance(target, vec![held, error])
        }
        ("Result" | "Option", _) => value,
        (_, Value::Unknown) if declared.iter().any(|known| !known.is_unknown()) => {
            Value::foreign_instance(target, declared)
        }
        (_, Value::Unknown) => value,
        _ => Value::foreign_instance(target, vec![element]),
    }
}

/// A collection that was made empty, with what was put into it first.
fn filled(args: Vec<Value>) -> Value {
    let mut args = args.into_iter();
    let container = args.next().unwrap_or(Value::Unknown);
    match &container {
        Value::ForeignInstance { name, .. } => Value::foreign_instance(name, args.collect()),
        _ => container,
    }
}

/// What calling a function or type of the library gives.
pub fn call(eval: &mut Evaluator<'_>, name: &str, known: &[Value], args: &[Value]) -> Value {
    let first = args.first().cloned().unwrap_or(Value::Unknown);
    let (owner, function) = name.rsplit_once('.').unwrap_or(("", name));
    match (short(owner), function) {
        ("Option", "Some") => return Value::foreign_instance("std.option.Option", vec![first]),
        ("Result", "Ok") => return Value::foreign_instance("std.result.Result", vec![first, Value::Unknown]),
        ("Result", "Err") => return Value::foreign_instance("std.result.Result", vec![Value::Unknown, first]),
        ("Box" | "Rc" | "Arc" | "Pin" | "Cow" | "ManuallyDrop" | "Ref" | "RefMut", _) => return first,
        ("mem", "replace" | "take") | ("hint", "black_box") | ("convert", "identity") => return first,
        ("LazyLock" | "Lazy" | "LazyCell", "new") => return methods::returned(&first),
        ("Mutex" | "RwLock" | "RefCell" | "Cell" | "UnsafeCell", "new") => {
            return Value::foreign_instance(owner, vec![first]);
        }
        ("iter", "once" | "repeat") => return Value::foreign_instance("Iterator", vec![first]),
        ("iter", "from_fn") => {
            let element = methods::unwrapped(eval, &methods::returned(&first));
            return Value::foreign_instance("Iterator", vec![element]);
        }
        ("mpsc", "channel" | "sync_channel") | ("crossbeam_channel" | "channel", "bounded" | "unbounded") => {
            let known = known.to_vec();
            let ends = ["Sender", "Receiver"].map(|end| Value::foreign_instance(end, known.clone()));
            return Value::Tuple(ends.into());
        }
        ("thread", "spawn") => return Value::foreign_instance("JoinHandle", vec![methods::returned(&first)]),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_for_binary_search() {
        assert!(PRELUDE.is_sorted_by_key(|(name, _)| *name));
        assert!(MACROS.is_sorted());
        assert!(UBIQUITOUS.is_sorted());
    }
}
