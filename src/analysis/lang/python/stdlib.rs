//! Python's builtins and the standard library: names, and the results of calls, iteration and indexing.

use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

use crate::lang::common::library::Library;
use crate::resolve::eval::Evaluator;
use crate::resolve::value::Value;

type Names = LazyLock<HashSet<&'static str>>;

static LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::read(include_str!("library.txt")));

/// Names of the module `builtins`, and the names that every module has.
static BUILTINS: Names = LazyLock::new(|| include_str!("builtins.txt").split_whitespace().collect());

/// Modules of the standard library whose names files of a repository may share.
static STANDARD_MODULES: Names = LazyLock::new(|| include_str!("modules.txt").split_whitespace().collect());

/// Method names so common that a single definition in the repository is not a match.
static UBIQUITOUS: Names = LazyLock::new(|| include_str!("ubiquitous.txt").split_whitespace().collect());

/// The method of the operator `|`, which makes a type of two classes.
pub const UNION_OPERATOR: &str = "__or__";

/// Modules whose members have the same names as builtins or as each other.
const MODULES_OF_ALIASES: [&str; 7] =
    ["", "typing", "typing_extensions", "collections", "collections.abc", "contextlib", "builtins"];

/// Returns whether a name is builtin.
pub fn is_builtin(name: &str) -> bool {
    BUILTINS.contains(name)
}

/// Returns whether a name is that of a standard library module.
pub fn is_stdlib_module(name: &str) -> bool {
    STANDARD_MODULES.contains(name)
}

/// Returns whether a member name is too common to be guessed, or special (`__eq__`).
pub fn is_ubiquitous(name: &str) -> bool {
    UBIQUITOUS.contains(name) || (name.starts_with("__") && name.ends_with("__"))
}

/// Returns whether a value can have a member. Of the builtin containers all are known.
pub fn may_have_member(value: &Value, member: &str) -> bool {
    let Value::ExternalInstance { name, .. } = value else { return true };
    let members = CONTAINER_MEMBERS.iter().find(|(container, _)| *container == &**name);
    members.is_none_or(|(_, members)| members.split_whitespace().any(|own| own == member)) || member.starts_with("__")
}

/// Members of the builtin containers, with those of the types of `typing` and `collections` that have their names here.
const CONTAINER_MEMBERS: [(&str, &str); 4] = [
    (
        "list",
        "append appendleft clear copy count extend extendleft index insert maxlen pop popleft remove reverse rotate sort",
    ),
    (
        "dict",
        "clear copy default_factory fromkeys get items keys maps move_to_end new_child parents pop popitem setdefault
        update values",
    ),
    (
        "set",
        "add clear copy difference difference_update discard intersection intersection_update isdisjoint issubset
        issuperset pop remove symmetric_difference symmetric_difference_update union update",
    ),
    ("tuple", "_asdict _fields _replace count index"),
];

/// Returns whether a module of the library has a type of which more is known than its name.
pub fn has_type(module: &str, name: &str) -> bool {
    const SPECIAL: [&str; 8] =
        ["Annotated", "Any", "AsyncIterator", "Awaitable", "Callable", "ContextManager", "Optional", "Union"];
    let is_known = SPECIAL.contains(&name) || LIBRARY.has_type(name) || LIBRARY.canonical(name) != name;
    is_known && MODULES_OF_ALIASES.contains(&module)
}

/// Returns the name that stands for all similar types: `list` for `typing.Sequence`, `Iterator` for `Generator`.
fn canonical_name(name: &str) -> &str {
    let (module, last) = name.rsplit_once('.').unwrap_or(("", name));
    if MODULES_OF_ALIASES.contains(&module) { LIBRARY.canonical(last) } else { name }
}

/// Returns a value of an external type. `list()`, `[]` and `list` of unknown values are the same.
fn instance(name: &str, args: Vec<Value>) -> Value {
    let is_known = args.iter().any(|arg| !arg.is_unknown());
    Value::external_instance(name, if is_known { args } else { Vec::new() })
}

/// Returns a value of an external type with type arguments.
pub fn apply(name: &str, args: Vec<Value>) -> Value {
    let mut args = args;
    match (canonical_name(name), args.len()) {
        ("Any" | "object", _) => Value::Unknown,
        ("Optional" | "Union", 1..) => Value::union(args),
        ("Annotated" | "ClassVar" | "Final" | "Required" | "NotRequired", 1..) => args.swap_remove(0),
        ("type", 1) => match &args[0] {
            Value::Instance { symbol, .. } => Value::symbol(*symbol),
            Value::ExternalInstance { name, .. } => Value::external(name),
            Value::Union(parts) => Value::union(parts.iter().map(|part| apply("type", vec![part.clone()]))),
            Value::Unknown => Value::Unknown,
            _ => instance("type", args),
        },
        // `tuple[X, ...]`: the ellipsis is not a type.
        ("tuple", 2) if args[1].is_unknown() => {
            args.truncate(1);
            instance("tuple", args)
        }
        ("tuple", 2..) => Value::Tuple(args.into()),
        ("Awaitable", 3) => instance("Awaitable", vec![args.swap_remove(2)]),
        (canonical, _) => instance(canonical, args),
    }
}

/// Returns the result of a method without arguments on a value of a repository type.
fn repository_method_result(eval: &mut Evaluator<'_>, value: &Value, method: &str) -> Option<Value> {
    let member = eval.members(value, method).into_iter().next()?;
    let result = eval.result_of(member.symbol).substitute(&member.bound);
    (!result.is_unknown()).then_some(result)
}

/// Returns a value of the nearest generic base outside the repository.
fn external_base(eval: &mut Evaluator<'_>, value: &Value) -> Option<Value> {
    let ancestors = eval.ancestors(value);
    ancestors.iter().find(|base| matches!(base, Value::ExternalInstance { args, .. } if !args.is_empty())).cloned()
}

/// Returns the value of a class attribute that is read: the result of a descriptor's `__get__`, else the value itself.
pub fn attribute(eval: &mut Evaluator<'_>, value: Value) -> Value {
    match &value {
        Value::Instance { .. } => repository_method_result(eval, &value, "__get__").unwrap_or(value),
        _ => value,
    }
}

/// Returns the value that iterating yields.
pub fn element(eval: &mut Evaluator<'_>, value: &Value) -> Value {
    match value {
        Value::ExternalInstance { name, args } => match &**name {
            "str" | "bytes" => value.clone(),
            "range" => instance("int", Vec::new()),
            _ => args.first().cloned().unwrap_or(Value::Unknown),
        },
        Value::Tuple(parts) => Value::union(parts.iter().cloned()),
        Value::Instance { .. } => {
            let iterator = repository_method_result(eval, value, "__iter__")
                .or_else(|| repository_method_result(eval, value, "__aiter__"));
            match iterator {
                Some(iterator) if iterator != *value => match repository_method_result(eval, &iterator, "__next__") {
                    Some(next) => next,
                    None => eval.follow(|eval| element(eval, &iterator)),
                },
                Some(_) => repository_method_result(eval, value, "__next__").unwrap_or(Value::Unknown),
                None => match external_base(eval, value) {
                    Some(base) => element(eval, &base),
                    None => repository_method_result(eval, value, "__getitem__").unwrap_or(Value::Unknown),
                },
            }
        }
        // An enumeration class yields its members.
        Value::Symbol { .. } => {
            let member = eval.instantiate(value, Vec::new());
            if matches!(member, Value::Instance { .. }) { member } else { Value::Unknown }
        }
        Value::Union(parts) => Value::union(parts.iter().map(|part| element(eval, part)).collect::<Vec<_>>()),
        _ => Value::Unknown,
    }
}

/// Returns the value that indexing yields.
pub fn index(eval: &mut Evaluator<'_>, value: &Value) -> Value {
    match value {
        Value::ExternalInstance { name, args } if &**name == "dict" => args.get(1).cloned().unwrap_or(Value::Unknown),
        Value::Instance { .. } => match repository_method_result(eval, value, "__getitem__") {
            Some(result) => result,
            None => external_base(eval, value).map_or(Value::Unknown, |base| index(eval, &base)),
        },
        // `Class[int]` denotes the class.
        Value::Symbol { .. } | Value::External { .. } => value.clone(),
        Value::Function { .. } => Value::Unknown,
        _ => element(eval, value),
    }
}

/// Returns the result of `await value` and the target of `with value as …`.
pub fn unwrap(eval: &mut Evaluator<'_>, value: &Value) -> Value {
    match value {
        Value::ExternalInstance { name, args } => match &**name {
            "Awaitable" | "ContextManager" => args.first().cloned().unwrap_or(Value::Unknown),
            _ => value.clone(),
        },
        Value::Instance { .. } => {
            let entered = ["__enter__", "__aenter__", "__await__"]
                .iter()
                .find_map(|name| repository_method_result(eval, value, name));
            match entered {
                Some(Value::ExternalInstance { name, args }) if &*name == "Awaitable" || &*name == "Iterator" => {
                    args.last().cloned().unwrap_or(Value::Unknown)
                }
                Some(entered) => entered,
                None => value.clone(),
            }
        }
        Value::Union(parts) => Value::union(parts.iter().map(|part| unwrap(eval, part)).collect::<Vec<_>>()),
        _ => Value::Unknown,
    }
}

/// Returns the result of calling an external function or class with these type arguments.
pub fn call_result(eval: &mut Evaluator<'_>, name: &str, type_args: &[Value], args: &[Value]) -> Value {
    // `str | None` is a type.
    if let Some(class) = name.strip_suffix(UNION_OPERATOR).and_then(|class| class.strip_suffix('.')) {
        return Value::union([Value::external(class)].into_iter().chain(args.first().cloned()));
    }
    let name = canonical_name(name);
    let first = args.first().cloned().unwrap_or(Value::Unknown);
    match (name, &first) {
        // The elements of a container, unless the type arguments specify them.
        ("list" | "set" | "tuple" | "Iterator", _) if !type_args.is_empty() => {
            return instance(name, type_args.iter().take(1).cloned().collect());
        }
        ("dict", Value::ExternalInstance { name, .. }) if &**name == "dict" => return first,
        ("next" | "anext", Value::Instance { .. }) => {
            if let Some(next) = repository_method_result(eval, &first, "__next__") {
                return next;
            }
        }
        ("max" | "min", _) if args.get(1).is_some_and(|second| !matches!(second, Value::Function { .. })) => {
            return Value::union(args.iter().cloned());
        }
        ("map", _) => return instance("Iterator", vec![applied(eval, &first)]),
        ("property", _) => return applied(eval, &first),
        ("type", Value::Instance { symbol, .. }) => return Value::symbol(*symbol),
        ("type", _) => return Value::Unknown,
        ("weakref.ref" | "ref", _) => return Value::Function { params: Arc::new([]), result: Arc::new(first) },
        _ => {}
    }
    if let Some(known) = LIBRARY.function(name, args, &mut |value| eval.map_alternatives(value, element)) {
        return match known {
            Value::ExternalInstance { name, args } => instance(&name, args.to_vec()),
            known => known,
        };
    }
    let last = name.rsplit_once('.').map_or(name, |(_, last)| last);
    let is_class = last.starts_with(char::is_uppercase) || is_builtin(name);
    if is_class { instance(name, type_args.to_vec()) } else { Value::Unknown }
}

/// Returns whether a value is a class of the repository.
pub fn is_type(eval: &Evaluator<'_>, value: &Value) -> bool {
    matches!(value, Value::Symbol { symbol, .. } if eval.world.definition(*symbol).kind.is_type())
}

/// Returns the result of a function that is a value.
fn applied(eval: &mut Evaluator<'_>, function: &Value) -> Value {
    match function {
        Value::Function { result, .. } => (**result).clone(),
        Value::Symbol { .. } if is_type(eval, function) => eval.instantiate(function, Vec::new()),
        Value::Symbol { symbol, bound } => eval.result_of(*symbol).substitute(bound),
        _ => Value::Unknown,
    }
}

/// Returns the result of calling a method of an external value.
pub fn method_result(eval: &mut Evaluator<'_>, receiver: &Value, method: &str, args: &[Value]) -> Value {
    if method == UNION_OPERATOR && is_type(eval, receiver) {
        return Value::union([receiver.clone()].into_iter().chain(args.first().cloned()));
    }
    let Value::ExternalInstance { name, .. } = receiver else { return Value::Unknown };
    match (&**name, method) {
        (_, "__enter__" | "__aenter__") => unwrap(eval, receiver),
        ("contextlib.ExitStack" | "ExitStack" | "AsyncExitStack", "enter_context" | "enter_async_context") => {
            args.first().map_or(Value::Unknown, |manager| unwrap(eval, manager))
        }
        _ => LIBRARY.result(receiver, method, args),
    }
}
