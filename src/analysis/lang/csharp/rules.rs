//! Rules by which names resolve across C# files: namespaces, using directives, extension methods.

use std::sync::{Arc, LazyLock};

use super::extension_methods::{ExtensionMethods, extension_method};
use super::projects::{self, Projects};
use super::{NAME, TRAITS, conversions, extension_methods};
use crate::facts::{DefId, Definition, Import, Outline, ScopeId, name_key};
use crate::lang::common::library::Library;
use crate::model::SymbolKind;
use crate::resolve::eval::{Evaluator, plain_name};
use crate::resolve::input::{FileIndex, LanguageFiles, Manifest};
use crate::resolve::modules::{ModuleId, Modules};
use crate::resolve::rules::{ExternalCallee, Rules, Traits, UnknownCall, UseSite};
use crate::resolve::value::{SymbolRef, Value};

/// C#'s resolution rules.
pub struct CSharpRules;

impl Rules for CSharpRules {
    fn traits(&self) -> &Traits {
        &TRAITS
    }

    fn modules(&self, files: LanguageFiles<'_>, manifests: &[Manifest], modules: &mut Modules) {
        let mut extension_methods = ExtensionMethods::default();
        let mut projects = Projects::new(manifests, modules);
        files.each_outline(|file, input, outline| {
            projects.add_file(file, input.path, outline, modules);
            let package = outline.package.map_or("", |package| outline.names.get(package));
            let module = add_namespace(package, modules);
            modules.add_block(module, file, ScopeId(0));
            for (number, definition) in DefId::sequence().zip(&outline.definitions) {
                if definition.kind == SymbolKind::Package {
                    let names = definition.scope_names.iter().chain([&definition.name]);
                    let mut path: Vec<&str> = names.map(|name| outline.names.get(*name)).collect();
                    path.splice(0..0, Some(package).filter(|package| !package.is_empty()));
                    let module = add_namespace(&path.join("."), modules);
                    modules.add_block(module, file, definition.scope);
                } else if definition.kind.is_callable() && definition.value_type.is_some() {
                    let symbol = SymbolRef { file, definition: number };
                    extension_methods.add(outline.names.key(definition.name), symbol);
                }
            }
        });
        modules.set_state(NAME, extension_methods);
        modules.set_state(projects::STATE, projects);
    }

    /// Returns a hash of the directives that hold for the whole project.
    fn layout(&self, outline: &Outline) -> u64 {
        let global = outline.imports.iter().filter(|import| import.reexport);
        let paths: Vec<Vec<&str>> =
            global.map(|import| import.path.iter().map(|part| outline.names.get(*part)).collect()).collect();
        if paths.is_empty() { 0 } else { xxhash_rust::xxh3::xxh3_64(format!("{paths:?}").as_bytes()) }
    }

    fn project_imports(&self, eval: &mut Evaluator<'_>, file: FileIndex) -> Option<Arc<Vec<Value>>> {
        projects::imports(eval, file)
    }

    fn import(&self, eval: &mut Evaluator<'_>, site: UseSite, import: &Import) -> (Value, usize) {
        let outline = eval.world.outline(site.file);
        let Some(&path) = import.path.first() else { return (Value::Unknown, 0) };
        let path = outline.names.get(path);
        let modules = &eval.world.modules;
        // A name can be relative to the namespaces around it.
        let mut outer = modules.for_scope(site.file, site.scope);
        while let Some(module) = outer.map(|module| modules.get(module)).filter(|module| !module.path.is_empty()) {
            if let Some(found) = modules.find(NAME, &format!("{}.{path}", module.path)) {
                return (Value::Module(found), 1);
            }
            outer = module.parent;
        }
        match modules.find(NAME, path) {
            Some(module) => (Value::Module(module), 1),
            None => (type_of_path(eval, path), 1),
        }
    }

    fn resolve_builtin(&self, name: &str) -> Option<Value> {
        match name {
            // An operator, whose value is of no interest.
            "nameof()" => Some(Value::Tuple(Arc::new([]))),
            _ if name.starts_with(|first: char| first.is_ascii_uppercase()) && !name.ends_with("()") => {
                Some(Value::external(name))
            }
            _ => None,
        }
    }

    /// A type that the project calls so, or a namespace: one of those around the site, or one at the root.
    fn resolve_unbound(&self, eval: &mut Evaluator<'_>, site: UseSite, name: &str) -> Option<Value> {
        if let Some(meant) = projects::alias(eval, site.file, name) {
            return Some(meant);
        }
        let modules = &eval.world.modules;
        let scopes = &eval.world.code(site.file).scopes;
        let mut scope = Some(site.scope);
        let mut module: Option<ModuleId> = None;
        while let Some(id) = scope.filter(|_| module.is_none()) {
            module = modules.for_scope(site.file, id);
            scope = scopes.get(id.0 as usize)?.parent;
        }
        while let Some(outer) = module.map(|module| modules.get(module)) {
            if let Some(found) = outer.children.get(&name_key(name)) {
                return Some(Value::Module(*found));
            }
            module = outer.parent;
        }
        None
    }

    fn apply(&self, name: &str, args: Vec<Value>) -> Value {
        conversions::apply(name, args)
    }

    fn undeclared_member(&self, eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
        match (receiver, name) {
            (Value::Module(_), _) => None,
            // What can be absent has the type that it has otherwise.
            (Value::Instance { .. }, "Value") => Some(receiver.clone()),
            _ => extension_method(eval, receiver, name),
        }
    }

    fn external_member(&self, eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
        match receiver {
            Value::ExternalInstance { .. } => {
                let property = LIBRARY.result(receiver, &format!(".{name}"), &[]);
                if property.is_unknown() { extension_method(eval, receiver, name) } else { Some(property) }
            }
            Value::Tuple(parts) => {
                let number = name.strip_prefix("Item").and_then(|number| number.parse::<usize>().ok());
                let part = number.and_then(|number| parts.get(number.checked_sub(1)?).cloned());
                part.or_else(|| extension_method(eval, receiver, name))
            }
            Value::Function { .. } => extension_method(eval, receiver, name),
            _ => None,
        }
    }

    fn external_call(&self, _eval: &mut Evaluator<'_>, callee: ExternalCallee<'_>, args: &[Value]) -> Value {
        match callee {
            ExternalCallee::Method(receiver, name) => LIBRARY.result(receiver, name, args),
            // A static method, by its dotted name.
            ExternalCallee::Named(name, _) => match name.rsplit_once('.') {
                Some((class, method)) => {
                    LIBRARY.result(&self.apply(class, args.iter().take(1).cloned().collect()), method, args)
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

    /// The value of a dictionary is its last generic argument.
    fn external_argument(&self, callee: ExternalCallee<'_>, argument: u16) -> Value {
        match callee {
            ExternalCallee::Method(Value::ExternalInstance { args, .. }, "TryGetValue") if argument == 1 => {
                args.last().cloned().unwrap_or_default()
            }
            ExternalCallee::Method(
                Value::ExternalInstance { args, .. },
                "TryDequeue" | "TryPop" | "TryPeek" | "TryTake",
            ) => args.first().cloned().unwrap_or_default(),
            _ => Value::Unknown,
        }
    }

    /// The indexer of a type of the repository, or an element.
    fn index(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        if let Some(indexer) = eval.members(value, "this[]").into_iter().next() {
            return eval.result_of(indexer.symbol).substitute(&indexer.bound);
        }
        conversions::indexed(value)
    }

    fn element(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        match value {
            Value::Instance { .. } => {
                let ancestors = eval.ancestors(value);
                let external = ancestors.iter().filter(|base| matches!(base, Value::ExternalInstance { .. }));
                let mut sequences = external.filter(|base| match base {
                    Value::ExternalInstance { name, .. } => {
                        name.contains("Enumerable") || LIBRARY.declares(base, "GetEnumerator")
                    }
                    _ => false,
                });
                sequences.next().map_or(Value::Unknown, conversions::element)
            }
            _ => conversions::element(value),
        }
    }

    /// Returns a part of a pair, or the one that a type of the repository deconstructs a value to.
    fn item(&self, eval: &mut Evaluator<'_>, value: &Value, index: usize) -> Value {
        match value {
            Value::Object(members) => members.get(index).map(|(_, part)| part.clone()).unwrap_or_default(),
            Value::ExternalInstance { name, args } if &**name == "KeyValuePair" => {
                args.get(index).cloned().unwrap_or_default()
            }
            Value::Instance { symbol, args } => {
                let mut methods = eval.members(value, "Deconstruct()").into_iter();
                let (owner, bound) = match (methods.next(), methods.next()) {
                    (Some(method), None) => (method.symbol, method.bound),
                    // The number of parts chooses, which is not known here.
                    (Some(_), Some(_)) => return Value::Unknown,
                    (None, _) => (*symbol, eval.own_substitution(*symbol, args)),
                };
                let definition = eval.world.definition(owner);
                let known = definition.parameters.get(index).and_then(|parameter| parameter.value_type);
                let site = UseSite { file: owner.file, scope: definition.scope };
                known.map_or(Value::Unknown, |known| eval.type_of(site, known).substitute(&bound))
            }
            _ => Value::Unknown,
        }
    }

    /// A sequence of the values of a type, or a value that a container makes of a type.
    fn applied_method(&self, name: &str, args: &[Value]) -> Option<Value> {
        let result = match (name, args) {
            ("Cast" | "OfType", [element]) => Value::external_instance("IEnumerable", vec![element.clone()]),
            ("CreateInstance" | "Deserialize" | "GetRequiredService" | "GetService", [made]) => made.clone(),
            _ => return None,
        };
        Some(Value::Function { params: Arc::new([]), result: Arc::new(result) })
    }

    /// Only tasks are wrappers.
    fn unwrap(&self, _eval: &mut Evaluator<'_>, value: &Value) -> Value {
        match value {
            Value::ExternalInstance { name, args } if name.ends_with("Task") => match args.first() {
                // `Task.Run(async () => …)`
                Some(Value::ExternalInstance { name, args }) if &**name == "Task" => {
                    args.first().cloned().unwrap_or_default()
                }
                content => content.cloned().unwrap_or_default(),
            },
            other => other.clone(),
        }
    }

    /// Returns the method of a name that only one class has, on a member of a value whose type is unknown.
    fn suggested_methods(&self, eval: &mut Evaluator<'_>, call: &UnknownCall<'_>) -> Vec<SymbolRef> {
        if !matches!(call.receiver, Some(Value::ExternalMethod { .. })) {
            return Vec::new();
        }
        let name = plain_name(eval.world.outline(call.site.file).names.get(call.name));
        let only = if self.is_ubiquitous(name) { None } else { extension_methods::only(eval, name) };
        only.into_iter().collect()
    }

    fn is_part(&self, _outline: &Outline, definition: &Definition) -> bool {
        let is_head = |word: &&str| !matches!(*word, "class" | "interface" | "record" | "struct");
        definition.signature.split_whitespace().take_while(is_head).any(|word| word == "partial")
    }

    fn external_fit(&self, actual: &Value, expected: &Value) -> Option<u32> {
        conversions::fit(actual, expected)
    }
}

/// Results of the library's members.
static LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::read(include_str!("library.txt")));

/// Returns the type at a path of namespaces and types, or an external name.
pub fn type_of_path(eval: &mut Evaluator<'_>, path: &str) -> Value {
    let Some((outer, name)) = path.rsplit_once('.') else { return Value::external(path) };
    match eval.world.modules.find(NAME, outer) {
        Some(module) => eval.module_member(module, name),
        None => Value::external(path),
    }
}

/// Adds the module of a namespace and those around it; the one without a name is around all others.
fn add_namespace(path: &str, modules: &mut Modules) -> ModuleId {
    let mut module = modules.add(NAME, "", None);
    let mut end = 0;
    for segment in path.split('.').filter(|segment| !segment.is_empty()) {
        end += segment.len();
        let inner = modules.add(NAME, &path[..end.min(path.len())], None);
        modules.nest(module, segment, inner);
        module = inner;
        end += 1;
    }
    module
}
