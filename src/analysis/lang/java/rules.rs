//! Rules by which names resolve across Java files: packages, imports, `java.lang`.

use crate::lang::common::word_list::word_list;
use std::sync::{Arc, LazyLock};

use super::{NAME, TRAITS, conversions, generated};
use crate::facts::Import;
use crate::lang::common::expressions::ARITHMETIC;
use crate::lang::common::library::Library;
use crate::lang::common::modules::{add_packages, globs};
use crate::resolve::eval::Evaluator;
use crate::resolve::input::{LanguageFiles, Manifest};
use crate::resolve::modules::{ModuleId, Modules};
use crate::resolve::rules::{ExternalCallee, Rules, Traits, UseSite};
use crate::resolve::value::Value;

/// Java's resolution rules.
pub struct JavaRules;

impl Rules for JavaRules {
    fn traits(&self) -> &Traits {
        &TRAITS
    }

    fn modules(&self, files: LanguageFiles<'_>, _manifests: &[Manifest], modules: &mut Modules) {
        add_packages(NAME, files, modules);
    }

    fn exported_module(&self, modules: &Modules, name: &str) -> Option<(ModuleId, usize)> {
        let ends = name.match_indices('.').map(|(dot, _)| dot);
        ends.filter_map(|end| Some((modules.find(NAME, &name[..end])?, end))).last()
    }

    fn import(&self, eval: &mut Evaluator<'_>, site: UseSite, import: &Import) -> (Value, usize) {
        let outline = eval.world.outline(site.file);
        let Some(&package) = import.path.first() else { return (Value::Unknown, 0) };
        let package = outline.names.get(package);
        match eval.world.modules.find(NAME, package) {
            Some(module) => (Value::Module(module), 1),
            None => (Value::external(package), 1),
        }
    }

    fn resolve_builtin(&self, name: &str) -> Option<Value> {
        LANG.binary_search(&name).ok().map(|_| Value::external(&format!("java.lang.{name}")))
    }

    fn apply(&self, name: &str, args: Vec<Value>) -> Value {
        if name == ARITHMETIC { conversions::arithmetic(&args) } else { Value::external_instance(name, args) }
    }

    fn external_call(&self, eval: &mut Evaluator<'_>, callee: ExternalCallee<'_>, args: &[Value]) -> Value {
        match callee {
            ExternalCallee::Method(receiver, "collect") => collected(receiver, args),
            ExternalCallee::Method(receiver, name) => {
                let args: Vec<Value> = args.iter().map(|arg| function_of(eval, receiver, arg)).collect();
                LIBRARY.result(receiver, name, &args)
            }
            // A static method, by its dotted name.
            ExternalCallee::Named(name, _) => match name.rsplit_once('.') {
                Some((class, method)) => {
                    let receiver = Value::external_instance(class, args.iter().take(1).cloned().collect());
                    let args: Vec<Value> = args.iter().map(|arg| function_of(eval, &receiver, arg)).collect();
                    LIBRARY.result(&receiver, method, &args)
                }
                None => Value::Unknown,
            },
        }
    }

    fn external_lambda(
        &self,
        _eval: &mut Evaluator<'_>,
        callee: ExternalCallee<'_>,
        _args: &[Value],
        _argument: u16,
        parameter: u16,
    ) -> Value {
        match callee {
            ExternalCallee::Method(receiver, name) => LIBRARY.lambda_parameter(receiver, name, parameter),
            ExternalCallee::Named(..) => Value::Unknown,
        }
    }

    fn has_external_member(&self, value: &Value, name: &str) -> bool {
        LIBRARY.declares(value, name)
    }

    fn external_parameter(&self, function: &Value, parameter: u16) -> Value {
        LIBRARY.lambda_parameter(function, FUNCTION, parameter)
    }

    fn element(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        match value {
            Value::ExternalInstance { name, .. } if &**name == "[]" => value.argument(0),
            Value::ExternalInstance { .. } => LIBRARY.result(&LIBRARY.result(value, "iterator", &[]), "next", &[]),
            Value::Instance { .. } => {
                let ancestors = eval.ancestors(value);
                let external = ancestors.iter().filter(|base| matches!(base, Value::ExternalInstance { .. }));
                let mut iterable = external.filter(|base| LIBRARY.declares(base, "iterator"));
                iterable.next().map_or(Value::Unknown, |base| base.argument(0))
            }
            _ => Value::Unknown,
        }
    }

    /// A method that a generator adds to a type around the site.
    fn resolve_unbound(&self, eval: &mut Evaluator<'_>, site: UseSite, name: &str) -> Option<Value> {
        let Some(method) = name.strip_suffix("()") else {
            let module = eval.module_at(site)?;
            return file_of_functions(eval, module, name).or_else(|| {
                // A type of the library, by `import java.util.*`.
                let packages = globs(eval.world.outline(site.file));
                let mut full = packages.map(|package| format!("{package}.{name}"));
                let full = full.find(|full| LIBRARY.has_type(full));
                full.map(|full| Value::external(&full))
            });
        };
        let receiver = eval.receiver(site);
        generated::method(eval, &receiver, method).or_else(|| method_of_enum(eval, &receiver, method))
    }

    fn undeclared_member(&self, eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
        match receiver {
            Value::Module(module) => file_of_functions(eval, *module, name),
            _ => generated::method(eval, receiver, name).or_else(|| method_of_enum(eval, receiver, name)),
        }
    }

    /// An interface with one abstract method is called through it (Java Language Specification, 9.8).
    fn callable(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        eval.only_method(value)
    }

    fn external_fit(&self, actual: &Value, expected: &Value) -> Option<u32> {
        conversions::fit(actual, expected)
    }
}

/// Returns the function that an argument names by `Class::method`, other arguments unchanged. A method of the library has what is
/// known of the receiver's element.
fn function_of(eval: &mut Evaluator<'_>, receiver: &Value, argument: &Value) -> Value {
    let result = match argument {
        Value::Symbol { symbol, .. } if eval.world.definition(*symbol).kind.is_callable() => {
            return eval.as_function(argument.clone());
        }
        Value::External { name, .. } => name.rsplit_once('.').map(|(class, method)| {
            let element = Some(receiver.argument(0)).filter(|element| LIBRARY.type_of(element) == Some(class));
            LIBRARY.result(&element.unwrap_or_else(|| Value::external_instance(class, Vec::new())), method, &[])
        }),
        _ => None,
    };
    match result.filter(|result| !result.is_unknown()) {
        Some(result) => Value::Function { params: Arc::new([]), result: Arc::new(result) },
        None => argument.clone(),
    }
}

/// Returns the method that the compiler adds to an enum: `values()`, `valueOf(name)`.
fn method_of_enum(eval: &Evaluator<'_>, owner: &Value, name: &str) -> Option<Value> {
    let (Value::Symbol { symbol, .. } | Value::Instance { symbol, .. }) = owner else { return None };
    let mut words = eval.world.definition(*symbol).signature.split_whitespace();
    if !matches!(name, "values" | "valueOf") || !words.any(|word| word == "enum") {
        return None;
    }
    let own = Value::Instance { symbol: *symbol, args: Arc::new([]) };
    let result = if name == "values" { Value::external_instance("[]", vec![own]) } else { own };
    Some(Value::Function { params: Arc::new([]), result: Arc::new(result) })
}

/// Returns what a collector makes of the elements of a stream.
fn collected(stream: &Value, args: &[Value]) -> Value {
    let Some(Value::ExternalInstance { name, args: kind }) = args.first() else { return Value::Unknown };
    let element = stream.argument(0);
    let list = || Value::external_instance("java.util.List", vec![element.clone()]);
    match (&**name, kind.first()) {
        ("java.util.stream.Collector", Some(Value::ExternalInstance { name, .. })) => match &**name {
            "java.util.Map" => Value::external_instance(name, vec![Value::Unknown, list()]),
            _ => Value::external_instance(name, vec![element]),
        },
        _ => Value::Unknown,
    }
}

/// The line of the library's table with the parameters of the function that a value of a type is.
const FUNCTION: &str = "->";

/// Results of the standard library's methods.
static LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::read(include_str!("library.txt")));

/// Types of `java.lang`, which need no import.
const LANG: &[&str] = word_list!("java_lang.txt");
/// Returns the package as which the class is seen that the compiler of Kotlin makes of a file's functions: `ToolsKt` of
/// `Tools.kt`.
fn file_of_functions(eval: &mut Evaluator<'_>, module: ModuleId, name: &str) -> Option<Value> {
    let stem = name.strip_suffix("Kt").filter(|stem| !stem.is_empty())?;
    let is_file = |path: &str| {
        let own = crate::text::file_name(path).strip_suffix(".kt");
        own.is_some_and(|own| own.eq_ignore_ascii_case(stem))
    };
    let world = eval.world;
    let has_file = world.modules.get(module).parts.iter().any(|(file, _)| is_file(world.files[file.index()].path));
    has_file.then_some(Value::Module(module))
}
