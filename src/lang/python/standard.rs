//! What the built-in and standard types give back.

use crate::resolve::eval::Evaluator;
use crate::resolve::value::Value;

/// Names that every module knows.
const BUILTINS: &str = " abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile \
complex copyright delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash \
help hex id input int isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print \
property quit range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip __import__ \
__file__ __name__ __doc__ __package__ __path__ __debug__ NotImplemented Ellipsis ArithmeticError AssertionError AttributeError \
BaseException BaseExceptionGroup BlockingIOError BrokenPipeError BufferError BytesWarning ChildProcessError \
ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError EncodingWarning \
EnvironmentError Exception ExceptionGroup FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit \
IOError ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt \
LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError NotImplementedError OSError OverflowError \
PendingDeprecationWarning PermissionError ProcessLookupError RecursionError ReferenceError ResourceWarning RuntimeError \
RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError TypeError \
UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError \
Warning ZeroDivisionError reveal_type ";

/// Modules of the standard library that a repository's own file may be called like.
const STANDARD_MODULES: &str = " abc argparse array ast asyncio base64 bisect calendar cmd code codecs collections concurrent \
configparser contextlib copy csv ctypes dataclasses datetime decimal difflib dis email enum errno fnmatch fractions functools \
gc getpass gettext glob gzip hashlib heapq hmac html http importlib inspect io ipaddress itertools json keyword locale logging \
math mimetypes multiprocessing numbers operator os pathlib pickle pkgutil platform pprint queue random re secrets select shelve \
shlex shutil signal site smtplib socket sqlite3 ssl stat statistics string struct subprocess sys sysconfig tempfile textwrap \
threading time timeit token tokenize traceback types typing unicodedata unittest urllib uuid warnings weakref xml zipfile zlib ";

/// Methods of the standard types and of everybody's classes.
const UBIQUITOUS: &str = " add append all call cancel clear close commit connect copy count create cursor data decode delete \
discard done dump dumps encode endswith error exception execute exists extend fetchall fetchone filter find findall finditer \
first flush format get getvalue group groups head index info insert is_file items join keys last length load loads lock lower \
lstrip match name next open options order_by patch path pop popitem post put raise_for_status read readline readlines release \
remove replace reset reverse rollback rstrip run save search seek send set setdefault sort split splitlines start startswith \
stop strip sub submit tell title update upper timestamp time date isoformat strftime strptime total_seconds astimezone value values wait warning write writelines year ";

fn listed(list: &str, name: &str) -> bool {
    !name.is_empty() && !name.contains(' ') && list.contains(&format!(" {name} "))
}

pub(super) fn is_builtin(name: &str) -> bool {
    listed(BUILTINS, name)
}

pub(super) fn is_standard_module(name: &str) -> bool {
    listed(STANDARD_MODULES, name)
}

pub(super) fn is_ubiquitous(name: &str) -> bool {
    listed(UBIQUITOUS, name) || (name.starts_with("__") && name.ends_with("__"))
}

/// One name for the many of one kind of container.
pub(super) fn plain(name: &str) -> &str {
    let (module, last) = name.rsplit_once('.').unwrap_or(("", name));
    if !matches!(
        module,
        "" | "typing" | "typing_extensions" | "collections" | "collections.abc" | "contextlib" | "builtins"
    ) {
        return name;
    }
    match last {
        "List" | "Sequence" | "MutableSequence" | "Collection" | "deque" | "Deque" => "list",
        "Dict" | "Mapping" | "MutableMapping" | "OrderedDict" | "DefaultDict" | "defaultdict" | "ChainMap" => "dict",
        "Set" | "FrozenSet" | "AbstractSet" | "MutableSet" | "frozenset" => "set",
        "Tuple" => "tuple",
        "Type" => "type",
        "Text" => "str",
        "Iterable" | "Iterator" | "Generator" | "Reversible" | "KeysView" | "ValuesView" => "Iterator",
        "AsyncIterable" | "AsyncIterator" | "AsyncGenerator" => "AsyncIterator",
        "Awaitable" | "Coroutine" => "Awaitable",
        "ContextManager" | "AsyncContextManager" | "AbstractContextManager" | "AbstractAsyncContextManager" => {
            "ContextManager"
        }
        _ => last,
    }
}

pub(super) fn instance(name: &str, args: Vec<Value>) -> Value {
    Value::external_instance(name, args)
}

/// A value of a foreign type with arguments.
pub(super) fn apply(name: &str, args: Vec<Value>) -> Value {
    let mut args = args;
    match (plain(name), args.len()) {
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
        // `tuple[X, ...]`: the dots are no type.
        ("tuple", 2) if args[1].is_unknown() => {
            args.truncate(1);
            instance("tuple", args)
        }
        ("tuple", 2..) => Value::Tuple(args.into()),
        ("Awaitable", 3) => instance("Awaitable", vec![args.swap_remove(2)]),
        (plain, _) => instance(plain, args),
    }
}

/// The result of a method without arguments on a value of the repository.
pub(super) fn own_result(eval: &mut Evaluator<'_>, value: &Value, method: &str) -> Option<Value> {
    let member = eval.members(value, method).into_iter().next()?;
    let result = eval.result_of(member.symbol).substitute(&member.bound);
    (!result.is_unknown()).then_some(result)
}

/// The nearest base outside the repository, as a value of it.
fn foreign_base(eval: &mut Evaluator<'_>, value: &Value) -> Option<Value> {
    let ancestors = eval.ancestors(value);
    ancestors.into_iter().find(|base| matches!(base, Value::ExternalInstance { args, .. } if !args.is_empty()))
}

/// What reading a class attribute gives: a descriptor's `__get__` decides, anything else is itself.
pub(super) fn attribute(eval: &mut Evaluator<'_>, value: Value) -> Value {
    match &value {
        Value::Instance { .. } => own_result(eval, &value, "__get__").unwrap_or(value),
        _ => value,
    }
}

/// What iterating over a value yields.
pub(super) fn element(eval: &mut Evaluator<'_>, value: &Value) -> Value {
    match value {
        Value::ExternalInstance { name, args } => match &**name {
            "str" | "bytes" => value.clone(),
            "range" => instance("int", Vec::new()),
            _ => args.first().cloned().unwrap_or(Value::Unknown),
        },
        Value::Tuple(parts) => Value::union(parts.iter().cloned()),
        Value::Instance { .. } => {
            let iterator = own_result(eval, value, "__iter__").or_else(|| own_result(eval, value, "__aiter__"));
            match iterator {
                Some(iterator) if iterator != *value => match own_result(eval, &iterator, "__next__") {
                    Some(next) => next,
                    None => eval.follow(|eval| element(eval, &iterator)),
                },
                Some(_) => own_result(eval, value, "__next__").unwrap_or(Value::Unknown),
                None => match foreign_base(eval, value) {
                    Some(base) => element(eval, &base),
                    None => own_result(eval, value, "__getitem__").unwrap_or(Value::Unknown),
                },
            }
        }
        // The members of an enumeration.
        Value::Symbol { .. } => {
            let member = eval.instantiate(value, Vec::new());
            if matches!(member, Value::Instance { .. }) { member } else { Value::Unknown }
        }
        Value::Union(parts) => Value::union(parts.iter().map(|part| element(eval, part)).collect::<Vec<_>>()),
        _ => Value::Unknown,
    }
}

/// What indexing a value gives.
pub(super) fn index(eval: &mut Evaluator<'_>, value: &Value) -> Value {
    match value {
        Value::ExternalInstance { name, args } if &**name == "dict" => args.get(1).cloned().unwrap_or(Value::Unknown),
        Value::Instance { .. } => match own_result(eval, value, "__getitem__") {
            Some(result) => result,
            None => foreign_base(eval, value).map_or(Value::Unknown, |base| index(eval, &base)),
        },
        // `Class[int]` is still the class.
        Value::Symbol { .. } | Value::External { .. } => value.clone(),
        Value::Function { .. } => Value::Unknown,
        _ => element(eval, value),
    }
}

/// What `await value` and `with value as …` give.
pub(super) fn unwrap(eval: &mut Evaluator<'_>, value: &Value) -> Value {
    match value {
        Value::ExternalInstance { name, args } => match &**name {
            "Awaitable" | "ContextManager" => args.first().cloned().unwrap_or(Value::Unknown),
            _ => value.clone(),
        },
        Value::Instance { .. } => {
            let entered =
                ["__enter__", "__aenter__", "__await__"].iter().find_map(|name| own_result(eval, value, name));
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
