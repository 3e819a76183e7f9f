//! Rules by which names resolve across PHP files: namespaces, imports, the global namespace, functions of the language.

use super::expressions::CLASS_STRING;
use super::hooks::dotted;
use super::{NAME, TRAITS, laravel};
use crate::facts::Import;
use crate::lang::common::modules::joined;
use crate::model::SymbolKind;
use crate::resolve::eval::{Evaluator, plain_name};
use crate::resolve::input::{LanguageFiles, Manifest};
use crate::resolve::modules::{ModuleId, Modules};
use crate::resolve::rules::{ExternalCallee, Rules, Traits, UseSite};
use crate::resolve::value::Value;
use crate::text::parent_dir;

/// PHP's resolution rules.
pub struct PhpRules;

impl Rules for PhpRules {
    fn traits(&self) -> &Traits {
        &TRAITS
    }

    fn modules(&self, files: LanguageFiles<'_>, _manifests: &[Manifest], modules: &mut Modules) {
        files.each_outline(|number, file, outline| {
            // Only imports of files lead to this module; names belong to the namespace, which comes last.
            let own = modules.add(NAME, &file_path(file.path), None);
            modules.add_file(own, number);
            let namespace = outline.package.map_or("", |package| outline.names.get(package));
            let module = add_namespace(namespace, modules);
            modules.add_file(module, number);
            for definition in outline.definitions.iter().filter(|one| one.kind == SymbolKind::Package) {
                let module = add_namespace(outline.names.get(definition.name), modules);
                modules.add_block(module, number, definition.scope);
            }
        });
    }

    fn import(&self, eval: &mut Evaluator<'_>, site: UseSite, import: &Import) -> (Value, usize) {
        let outline = eval.world.outline(site.file);
        let Some(&path) = import.path.first() else { return (Value::Unknown, 0) };
        let path = outline.names.get(path);
        if !path.starts_with("./") {
            return (absolute(eval, path), 1);
        }
        let folder = parent_dir(eval.world.files[site.file.index()].path);
        let candidates = [joined(folder, path), joined("", path)];
        let found = candidates.iter().find_map(|path| eval.world.modules.find(NAME, &file_path(path)));
        // Generated files, such as Composer's autoloader, are not indexed.
        (found.map_or_else(|| Value::external_instance("file", Vec::new()), Value::Module), 1)
    }

    fn resolve_unbound(&self, eval: &mut Evaluator<'_>, site: UseSite, name: &str) -> Option<Value> {
        let plain = plain_name(name);
        if name.starts_with('$') {
            return None;
        }
        if plain.starts_with('\\') {
            return Some(absolute(eval, &dotted(plain)));
        }
        let module = eval.module_at(site);
        let is_function = plain.len() < name.len();
        let is_constant = !plain.bytes().any(|byte| byte.is_ascii_lowercase());
        if is_function || is_constant {
            let global = eval.world.modules.find(NAME, "");
            // The case of letters does not matter in names of functions, most of which have small ones.
            let small = plain.to_ascii_lowercase();
            let is_small = !is_function || small == plain;
            let places =
                [(global, plain), (module.filter(|_| !is_small), &small), (global.filter(|_| !is_small), &small)];
            let mut found = places.into_iter().filter_map(|(module, name)| Some(eval.module_member(module?, name)));
            return Some(found.find(|value| !value.is_unknown()).unwrap_or_else(|| Value::external(plain)));
        }
        let nested = module.map(|module| eval.module_member(module, plain)).filter(|value| !value.is_unknown());
        if nested.is_some() {
            return nested;
        }
        let namespace = module.map_or("", |module| eval.world.modules.get(module).path.as_str());
        Some(Value::external(&if namespace.is_empty() { plain.to_owned() } else { format!("{namespace}.{plain}") }))
    }

    fn apply(&self, name: &str, args: Vec<Value>) -> Value {
        match name {
            "mixed" | "object" | "null" | "void" | "never" | "false" | "true" => Value::Unknown,
            _ => Value::external_instance(name, args),
        }
    }

    fn undeclared_member(&self, eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
        if let Some(found) = laravel::member(eval, receiver, name) {
            return Some(found);
        }
        // An enum is created from its values.
        let Value::Symbol { symbol, .. } = receiver else { return None };
        let own = eval.own_instance(*symbol);
        let result = match name {
            "from" | "tryFrom" => own,
            "cases" => Value::external_instance("[]", vec![own]),
            _ => return None,
        };
        eval.world
            .definition(*symbol)
            .signature
            .contains("enum ")
            .then(|| Value::Function { params: Vec::new().into(), result: result.into() })
    }

    fn external_call(&self, _eval: &mut Evaluator<'_>, callee: ExternalCallee<'_>, args: &[Value]) -> Value {
        let first = args.first().cloned().unwrap_or_default();
        match callee {
            ExternalCallee::Named(name, _) => function_result(name, &first, args),
            ExternalCallee::Method(receiver, name) => method_result(receiver, name, &first),
        }
    }

    fn external_lambda(
        &self,
        eval: &mut Evaluator<'_>,
        callee: ExternalCallee<'_>,
        args: &[Value],
        argument: u16,
        parameter: u16,
    ) -> Value {
        let ExternalCallee::Named(name, _) = callee else { return Value::Unknown };
        let array = match (name, parameter) {
            ("array_map", _) => args.get(usize::from(parameter) + 1),
            ("array_filter" | "array_walk" | "array_find" | "array_any" | "array_all", 0) => args.first(),
            ("usort" | "uasort", _) => args.first(),
            ("array_reduce", 1) => args.first(),
            _ => None,
        };
        array.filter(|_| argument < 2).map_or(Value::Unknown, |array| self.element(eval, array))
    }

    /// An element of an iterator of the repository is what its methods return.
    fn element(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        if !matches!(value, Value::Instance { .. }) {
            return value.argument(0);
        }
        for name in ["current()", "getIterator()"] {
            if let Some(member) = eval.members(value, name).into_iter().next() {
                let result = eval.result_of(member.symbol).substitute(&member.bound);
                let nested = name == "getIterator()";
                return if nested { eval.follow(|eval| self.element(eval, &result)) } else { result };
            }
        }
        Value::Unknown
    }

    fn index(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        match eval.members(value, "offsetGet()").into_iter().next() {
            Some(member) => eval.result_of(member.symbol).substitute(&member.bound),
            None => value.argument(0),
        }
    }
}

/// Returns the path of a file's own module.
fn file_path(path: &str) -> String {
    format!("file:{path}")
}

/// Adds the module of a namespace and those around it.
fn add_namespace(namespace: &str, modules: &mut Modules) -> ModuleId {
    let mut module = modules.add(NAME, "", None);
    let mut path = String::new();
    for segment in namespace.split('.').filter(|segment| !segment.is_empty()) {
        path = if path.is_empty() { segment.to_owned() } else { format!("{path}.{segment}") };
        let inner = modules.add(NAME, &path, None);
        modules.nest(module, segment, inner);
        module = inner;
    }
    module
}

/// Resolves a full name: a definition in a namespace, a namespace, or an external name.
fn absolute(eval: &mut Evaluator<'_>, path: &str) -> Value {
    let (namespace, name) = path.rsplit_once('.').unwrap_or(("", path));
    if let Some(module) = eval.world.modules.find(NAME, namespace) {
        let found = eval.module_member(module, name);
        if !found.is_unknown() {
            return found;
        }
    }
    eval.world.modules.find(NAME, path).map_or_else(|| Value::external(path), Value::Module)
}

/// Returns the result of a function of the language.
fn function_result(name: &str, first: &Value, args: &[Value]) -> Value {
    match name {
        "array_filter"
        | "array_values"
        | "array_merge"
        | "array_slice"
        | "array_reverse"
        | "array_unique"
        | "array_replace"
        | "array_diff"
        | "array_diff_key"
        | "array_intersect_key"
        | "array_splice"
        | "iterator_to_array" => {
            let is_array = |value: &&Value| matches!(value, Value::ExternalInstance { .. });
            args.iter().find(is_array).cloned().unwrap_or_default()
        }
        "current" | "reset" | "end" | "next" | "prev" | "array_pop" | "array_shift" | "array_find" | "min" | "max" => {
            first.argument(0)
        }
        "array_map" => match first {
            Value::Function { result, .. } => Value::external_instance("[]", vec![(**result).clone()]),
            _ => Value::Unknown,
        },
        // The containers of Laravel and Mockery return what the name of a class asks for.
        "app" | "resolve" | "Mockery.mock" | "Mockery.spy" => instance_of(first),
        _ => Value::Unknown,
    }
}

/// Returns the result of a method of an external type: containers and mocks return what the name of a class asks for.
fn method_result(receiver: &Value, name: &str, first: &Value) -> Value {
    match name {
        "get"
        | "make"
        | "createMock"
        | "createStub"
        | "createPartialMock"
        | "createConfiguredMock"
        | "find"
        | "mock"
        | "getMockForAbstractClass" => instance_of(first),
        "getMockBuilder" => Value::external_instance("MockBuilder", vec![instance_of(first)]),
        "getMock" => receiver.argument(0),
        _ => match receiver {
            Value::ExternalInstance { name, .. } if &**name == "MockBuilder" => receiver.clone(),
            _ => Value::Unknown,
        },
    }
}

/// Returns an instance of the class that `A::class` names.
fn instance_of(value: &Value) -> Value {
    match value {
        Value::ExternalInstance { name, .. } if &**name == CLASS_STRING => value.argument(0),
        _ => Value::Unknown,
    }
}
