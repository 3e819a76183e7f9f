//! Python's builtins and the standard library: names, and the results of calls, iteration and indexing.

use std::sync::Arc;

use crate::resolve::eval::Evaluator;
use crate::resolve::value::Value;

/// Names of the module `builtins`, and the names that every module has.
const BUILTINS: &str = " \
    abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex \
    copyright delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr \
    hash help hex id input int isinstance issubclass iter len list locals map max memoryview min next object oct \
    open ord pow print property quit range repr reversed round set setattr slice sorted staticmethod str sum super \
    tuple type vars zip __import__ __file__ __name__ __doc__ __package__ __path__ __debug__ NotImplemented Ellipsis \
    ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError \
    BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError \
    ConnectionResetError DeprecationWarning EOFError EncodingWarning EnvironmentError Exception ExceptionGroup \
    FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError \
    ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt \
    LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError NotImplementedError OSError \
    OverflowError PendingDeprecationWarning PermissionError ProcessLookupError RecursionError ReferenceError \
    ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning \
    SystemError SystemExit TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError \
    UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError reveal_type ";

/// Modules of the standard library whose names files of a repository may share.
const STANDARD_MODULES: &str = " \
    abc argparse array ast asyncio base64 bisect calendar cmd code codecs collections concurrent configparser \
    contextlib copy csv ctypes dataclasses datetime decimal difflib dis email enum errno fnmatch fractions functools \
    gc getpass gettext glob gzip hashlib heapq hmac html http importlib inspect io ipaddress itertools json keyword \
    locale logging math mimetypes multiprocessing numbers operator os pathlib pickle pkgutil platform pprint queue \
    random re secrets select shelve shlex shutil signal site smtplib socket sqlite3 ssl stat statistics string \
    struct subprocess sys sysconfig tempfile textwrap threading time timeit token tokenize traceback types typing \
    unicodedata unittest urllib uuid warnings weakref xml zipfile zlib ";

/// Method names so common that a single definition in the repository is no match.
const UBIQUITOUS: &str = " \
    add append all call cancel clear close commit connect copy count create cursor data decode delete discard done \
    dump dumps encode endswith error exception execute exists extend fetchall fetchone filter find findall finditer \
    first flush format get getvalue group groups head index info insert is_file items join keys last length load \
    loads lock lower lstrip match name next open options order_by patch path pop popitem post put raise_for_status \
    read readline readlines release remove replace reset reverse rollback rstrip run save search seek send set \
    setdefault sort split splitlines start startswith stop strip sub submit tell title update upper timestamp time \
    date isoformat strftime strptime total_seconds astimezone value values wait warning write writelines year ";

/// Returns whether a space-separated list contains a name.
fn contains_word(list: &str, name: &str) -> bool {
    !name.is_empty() && !name.contains(' ') && list.contains(&format!(" {name} "))
}

/// Returns whether a name is builtin.
pub(super) fn is_builtin(name: &str) -> bool {
    contains_word(BUILTINS, name)
}

/// Returns whether a name is that of a standard library module.
pub(super) fn is_stdlib_module(name: &str) -> bool {
    contains_word(STANDARD_MODULES, name)
}

/// Returns whether a member name is too common to be guessed, or special (`__eq__`).
pub(super) fn is_ubiquitous(name: &str) -> bool {
    contains_word(UBIQUITOUS, name) || (name.starts_with("__") && name.ends_with("__"))
}

/// Returns the name that stands for all similar types: `list` for `typing.Sequence`, `Iterator` for `Generator`.
fn canonical_name(name: &str) -> &str {
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

/// Returns a value of an external type.
fn instance(name: &str, args: Vec<Value>) -> Value {
    Value::external_instance(name, args)
}

/// Returns a value of an external type with type arguments.
pub(super) fn apply(name: &str, args: Vec<Value>) -> Value {
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
pub(super) fn attribute(eval: &mut Evaluator<'_>, value: Value) -> Value {
    match &value {
        Value::Instance { .. } => repository_method_result(eval, &value, "__get__").unwrap_or(value),
        _ => value,
    }
}

/// Returns the value that iterating yields.
pub(super) fn element(eval: &mut Evaluator<'_>, value: &Value) -> Value {
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
pub(super) fn index(eval: &mut Evaluator<'_>, value: &Value) -> Value {
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
pub(super) fn unwrap(eval: &mut Evaluator<'_>, value: &Value) -> Value {
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
pub(super) fn call_result(eval: &mut Evaluator<'_>, name: &str, type_args: &[Value], args: &[Value]) -> Value {
    let name = canonical_name(name);
    if let Some(container) = container_result(eval, name, type_args, args) {
        return container;
    }
    let first = args.first().cloned().unwrap_or(Value::Unknown);
    match name {
        "next" | "anext" => match repository_method_result(eval, &first, "__next__") {
            Some(next) => next,
            None => element(eval, &first),
        },
        "max" | "min" if args.len() > 1 && !matches!(args[1], Value::Function { .. }) => {
            Value::union(args.iter().cloned())
        }
        "max" | "min" | "random.choice" => element(eval, &first),
        "copy.copy" | "copy.deepcopy" | "functools.partial" | "functools.wraps" => first,
        "weakref.ref" | "ref" => Value::Function { params: Arc::new([]), result: Arc::new(first) },
        "weakref.proxy" => first,
        "contextlib.closing" | "closing" | "nullcontext" | "contextlib.nullcontext" => {
            instance("ContextManager", vec![first])
        }
        "type" => match &first {
            Value::Instance { symbol, .. } => Value::symbol(*symbol),
            _ => Value::Unknown,
        },
        "str" | "repr" | "format" | "input" | "chr" | "ascii" => instance("str", Vec::new()),
        "len" | "int" | "hash" | "ord" | "id" => instance("int", Vec::new()),
        "property" => match &first {
            Value::Symbol { symbol, bound } => eval.result_of(*symbol).substitute(bound),
            Value::Function { result, .. } => (**result).clone(),
            _ => Value::Unknown,
        },
        "staticmethod" | "classmethod" => first,
        "getattr" | "eval" | "object" | "super" | "sum" | "abs" | "pow" | "divmod" | "vars" | "globals" => {
            Value::Unknown
        }
        _ => {
            let last = name.rsplit_once('.').map_or(name, |(_, last)| last);
            let is_class = last.starts_with(|letter: char| letter.is_uppercase()) || is_builtin(name);
            if is_class { instance(name, type_args.to_vec()) } else { Value::Unknown }
        }
    }
}

/// Returns the result of a function that makes a container or an iterator from others.
fn container_result(eval: &mut Evaluator<'_>, name: &str, type_args: &[Value], args: &[Value]) -> Option<Value> {
    let first = args.first().cloned().unwrap_or(Value::Unknown);
    let result = match name {
        "list" | "sorted" => container(eval, "list", type_args, &first),
        "set" => container(eval, "set", type_args, &first),
        "tuple" => container(eval, "tuple", type_args, &first),
        "iter" | "reversed" | "Iterator" => container(eval, "Iterator", type_args, &first),
        "dict" => match &first {
            Value::ExternalInstance { name, .. } if &**name == "dict" => first,
            _ => instance("dict", type_args.to_vec()),
        },
        "filter" => {
            let items = args.get(1).cloned().unwrap_or(Value::Unknown);
            container(eval, "Iterator", &[], &items)
        }
        "map" => {
            let result = match &first {
                Value::Function { result, .. } => (**result).clone(),
                Value::Symbol { symbol, .. } if eval.world.definition(*symbol).kind.is_type() => {
                    eval.instantiate(&first, Vec::new())
                }
                Value::Symbol { symbol, bound } => eval.result_of(*symbol).substitute(bound),
                _ => Value::Unknown,
            };
            instance("Iterator", vec![result])
        }
        "enumerate" => {
            let item = element(eval, &first);
            let pair = Value::Tuple(Arc::new([instance("int", Vec::new()), item]));
            instance("Iterator", vec![pair])
        }
        "zip" => {
            let parts: Vec<Value> = args.iter().map(|arg| element(eval, arg)).collect();
            instance("Iterator", vec![Value::Tuple(parts.into())])
        }
        "itertools.chain" => {
            let parts: Vec<Value> = args.iter().map(|arg| element(eval, arg)).collect();
            instance("Iterator", vec![Value::union(parts)])
        }
        "itertools.chain.from_iterable" => {
            let inner = element(eval, &first);
            container(eval, "Iterator", &[], &inner)
        }
        _ => return None,
    };
    Some(result)
}

/// Returns a container of the elements of `items`, unless the type arguments specify them.
fn container(eval: &mut Evaluator<'_>, name: &str, type_args: &[Value], items: &Value) -> Value {
    let item = match type_args.first() {
        Some(item) => item.clone(),
        None => eval.map_alternatives(items, element),
    };
    if item.is_unknown() { instance(name, Vec::new()) } else { instance(name, vec![item]) }
}

/// Returns the result of calling a method of an external value.
pub(super) fn method_result(eval: &mut Evaluator<'_>, receiver: &Value, method: &str, args: &[Value]) -> Value {
    let Value::ExternalInstance { name, args: inner } = receiver else { return Value::Unknown };
    let at = |index: usize| inner.get(index).cloned().unwrap_or(Value::Unknown);
    let fallback = args.get(1).cloned().unwrap_or(Value::Unknown);
    match (&**name, method) {
        ("dict", "get" | "pop" | "setdefault") => Value::union([at(1), fallback]),
        ("dict", "items") => instance("Iterator", vec![Value::Tuple(Arc::new([at(0), at(1)]))]),
        ("dict", "keys") => instance("Iterator", vec![at(0)]),
        ("dict", "values") => instance("Iterator", vec![at(1)]),
        ("dict", "popitem") => Value::Tuple(Arc::new([at(0), at(1)])),
        ("list" | "set", "pop" | "popleft") => at(0),
        ("Iterator", "__next__" | "send") => at(0),
        ("type", "__call__") => at(0),
        ("contextvars.ContextVar" | "ContextVar", "get") => at(0),
        ("queue.Queue" | "asyncio.Queue" | "Queue", "get" | "get_nowait") => at(0),
        ("str" | "bytes", "split" | "rsplit" | "splitlines") => instance("list", vec![receiver.clone()]),
        ("str" | "bytes", "partition" | "rpartition") => {
            Value::Tuple(Arc::new([receiver.clone(), receiver.clone(), receiver.clone()]))
        }
        ("str", "encode") => instance("bytes", Vec::new()),
        ("bytes", "decode") => instance("str", Vec::new()),
        ("str" | "bytes", "find" | "index" | "count") => instance("int", Vec::new()),
        ("str" | "bytes", _) => receiver.clone(),
        (
            "list" | "set" | "dict" | "tuple",
            "copy" | "__add__" | "__or__" | "__and__" | "__sub__" | "union" | "intersection" | "difference",
        ) => receiver.clone(),
        ("int" | "float", _) => receiver.clone(),
        (_, "__enter__" | "__aenter__") => unwrap(eval, receiver),
        ("contextlib.ExitStack" | "ExitStack" | "AsyncExitStack", "enter_context" | "enter_async_context") => {
            args.first().map_or(Value::Unknown, |manager| unwrap(eval, manager))
        }
        _ => Value::Unknown,
    }
}
