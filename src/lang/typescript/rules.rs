//! How names resolve across TypeScript files.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::library;
use super::project::Project;
use crate::facts::{Atom, Import, ImportName, name_key};
use crate::resolve::eval::Evaluator;
use crate::resolve::input::{FileInput, Manifest};
use crate::resolve::modules::{ModuleId, Modules};
use crate::resolve::rules::{ExternalCallee, Rules, UseSite};
use crate::resolve::value::Value;

const LANGUAGE: &str = "typescript";

/// Names that every file sees: the language's own, and those of browsers and Node.
const GLOBALS: &str = "Array ReadonlyArray Set ReadonlySet WeakSet Map ReadonlyMap WeakMap Promise PromiseLike Object \
    Function String Number Boolean Symbol BigInt Math JSON Date RegExp Error TypeError RangeError SyntaxError \
    ReferenceError EvalError URIError AggregateError Reflect Proxy Intl Atomics ArrayBuffer SharedArrayBuffer DataView \
    Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array Float32Array Float64Array Uint8ClampedArray \
    BigInt64Array BigUint64Array Iterable Iterator IterableIterator IteratorResult AsyncIterable AsyncIterator \
    AsyncIterableIterator Generator AsyncGenerator ArrayLike Partial Required Readonly Pick Omit Record Exclude Extract \
    NonNullable Parameters ConstructorParameters ReturnType InstanceType ThisType Awaited NoInfer Uppercase Lowercase \
    Capitalize Uncapitalize PropertyKey PropertyDescriptor WeakRef FinalizationRegistry console window document \
    globalThis global process Buffer module exports require setTimeout clearTimeout setInterval clearInterval \
    setImmediate clearImmediate queueMicrotask requestAnimationFrame cancelAnimationFrame structuredClone fetch \
    Request Response Headers RequestInit RequestInfo URL URLSearchParams FormData Blob File FileReader AbortController \
    AbortSignal Event EventTarget CustomEvent MessageEvent ErrorEvent ProgressEvent WebSocket XMLHttpRequest Worker \
    ReadableStream WritableStream TransformStream TextEncoder TextDecoder Element HTMLElement HTMLInputElement Node \
    NodeList NodeListOf NodeJS Window Document navigator location history localStorage sessionStorage performance \
    crypto parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI eval NaN \
    Infinity arguments React JSX MouseEvent KeyboardEvent describe it test expect jest vi beforeEach afterEach \
    beforeAll afterAll suite Thenable DOMException Storage IntersectionObserver MutationObserver ResizeObserver";

/// Member names so common in the standard library that being unique in a repository proves nothing.
const UBIQUITOUS: &str = "add all apply at bind call catch charAt clear close concat copy create data delete done emit \
    end entries error every exec fill filter finally find findIndex flat flatMap forEach format from get getTime has \
    includes indexOf info init is isArray join keys lastIndexOf length listen load log map match name next of off on \
    once open parse pipe pop push read reduce remove replace replaceAll request reset resolve reverse run search send \
    set setItem getItem shift slice some sort splice split start startsWith endsWith stop stringify subscribe substr \
    substring test then throw toFixed toISOString toJSON toLowerCase toString toUpperCase trim unshift update use \
    value valueOf values warn write assign freeze addEventListener removeEventListener dispatchEvent abort append \
    appendChild querySelector preventDefault stopPropagation render click focus blur json text blob body status";

static GLOBAL_NAMES: LazyLock<HashSet<&str>> = LazyLock::new(|| GLOBALS.split_ascii_whitespace().collect());
static UBIQUITOUS_NAMES: LazyLock<HashSet<&str>> = LazyLock::new(|| UBIQUITOUS.split_ascii_whitespace().collect());

/// The module that a file means by a specifier; every import is looked up once, when the modules are set up.
type Imported = HashMap<(u32, Atom), ModuleId>;

fn imported_modules(files: &[(u32, FileInput<'_>)], project: &Project, modules: &Modules) -> Imported {
    let exists = |path: &str| modules.find(LANGUAGE, path).is_some();
    let mut imported = Imported::new();
    for (number, file) in files {
        for import in &file.outline.imports {
            let Some(&path) = import.path.first() else { continue };
            if imported.contains_key(&(*number, path)) {
                continue;
            }
            let found = project.find(file.path, file.outline.names.get(path), &exists);
            if let Some(module) = found.and_then(|found| modules.find(LANGUAGE, &found)) {
                imported.insert((*number, path), module);
            }
        }
    }
    imported
}

/// TypeScript's rules.
pub struct TypeScriptRules;

impl Rules for TypeScriptRules {
    fn modules(&self, files: &[(u32, FileInput<'_>)], manifests: &[Manifest], modules: &mut Modules) {
        for (number, file) in files {
            let module = modules.add(LANGUAGE, file.path, None);
            modules.add_file(module, *number);
        }
        let imported = imported_modules(files, &Project::new(manifests), modules);
        modules.set_state(LANGUAGE, imported);
    }

    fn import(&self, eval: &mut Evaluator<'_>, place: UseSite, import: &Import) -> (Value, usize) {
        let outline = eval.world.outline(place.file);
        let specifier = import.path.first().map_or("", |path| outline.names.get(*path));
        let modules = &eval.world.modules;
        let known = modules.state::<Imported>(LANGUAGE);
        let found = import.path.first().and_then(|path| known?.get(&(place.file, *path)).copied());
        let value = match found {
            Some(module) => {
                let whole = name_key("export=");
                let replaces = import.name == ImportName::Module && !modules.bindings(module, whole).is_empty();
                if replaces { eval.module_member(module, "export=") } else { Value::Module(module) }
            }
            None if specifier.starts_with('.') || specifier.is_empty() => Value::Unknown,
            None => Value::external(specifier.trim_start_matches("node:")),
        };
        (value, import.path.len())
    }

    fn resolve_builtin(&self, name: &str) -> Option<Value> {
        GLOBAL_NAMES.contains(name).then(|| Value::external(name))
    }

    fn apply_in(&self, eval: &mut Evaluator<'_>, name: &str, args: Vec<Value>) -> Value {
        library::apply(eval, name, args)
    }

    fn external_member(&self, eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
        library::member(eval, receiver, name)
    }

    fn external_call(&self, eval: &mut Evaluator<'_>, callee: ExternalCallee<'_>, args: &[Value]) -> Value {
        library::call(eval, callee, args)
    }

    fn external_lambda(
        &self,
        eval: &mut Evaluator<'_>,
        callee: ExternalCallee<'_>,
        args: &[Value],
        argument: u16,
        parameter: u16,
    ) -> Value {
        library::lambda(eval, callee, args, argument, parameter)
    }

    fn element(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        library::element(eval, value)
    }

    fn index(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        library::index(eval, value)
    }

    fn item(&self, eval: &mut Evaluator<'_>, value: &Value, _index: usize) -> Value {
        library::element(eval, value)
    }

    fn unwrap(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        library::unwrap(eval, value)
    }

    fn awaitable(&self, result: Value, declared: bool) -> Value {
        if declared { result } else { library::promise(result) }
    }

    fn callable(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        library::nameless(eval, value, "()")
    }

    fn separates_types(&self) -> bool {
        true
    }

    fn imports_are_private(&self) -> bool {
        true
    }

    fn fields_are_called(&self) -> bool {
        true
    }

    fn is_ubiquitous(&self, name: &str) -> bool {
        UBIQUITOUS_NAMES.contains(name)
    }
}
