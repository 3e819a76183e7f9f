//! How names resolve across Go files.

use super::imports::default_name;
use super::packages;
use super::standard;
use crate::facts::{Import, ImportName, NameKey, name_key};
use crate::resolve::eval::Evaluator;
use crate::resolve::input::{FileInput, Manifest};
use crate::resolve::modules::{ModuleId, Modules};
use crate::resolve::rules::{ExternalCallee, Rules, UseSite};
use crate::resolve::value::{Substitution, SymbolRef, Value};

/// Go's rules.
pub struct GoRules;

impl Rules for GoRules {
    fn modules(&self, files: &[(u32, FileInput<'_>)], manifests: &[Manifest], modules: &mut Modules) {
        packages::add(files, manifests, modules);
    }

    fn import(&self, eval: &mut Evaluator<'_>, place: UseSite, import: &Import) -> (Value, usize) {
        let outline = eval.world.outline(place.file);
        let Some(&path) = import.path.first() else { return (Value::Unknown, 0) };
        let path = outline.names.get(path);
        let found = find(&eval.world.modules, path);
        (found.map_or_else(|| Value::external(path), Value::Module), import.path.len())
    }

    /// An import binds the name in the package clause of what it imports. The path gave a guess; when a name is not
    /// bound, a package of the repository may be called so.
    fn resolve_unbound(&self, eval: &mut Evaluator<'_>, place: UseSite, name: &str) -> Option<Value> {
        let world = eval.world;
        let outline = world.outline(place.file);
        outline.imports.iter().filter(|import| import.name == ImportName::Module).find_map(|import| {
            let path = outline.names.get(*import.path.first()?);
            match find(&world.modules, path) {
                Some(module) => (package_name(eval, module) == Some(name)).then_some(Value::Module(module)),
                // `go-humanize`, `yaml.v3`, `client-go`: the name is a part of the last segment.
                None => default_name(path).split(['-', '.']).any(|part| part == name).then(|| Value::external(path)),
            }
        })
    }

    fn resolve_builtin(&self, name: &str) -> Option<Value> {
        standard::is_universal(name).then(|| Value::external_instance(name, Vec::new()))
    }

    fn external_member(&self, eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
        if standard::is_opaque(receiver) {
            return Some(standard::opaque_member());
        }
        // `type State tls.ConnectionState` has the fields of what it is made of.
        match eval.underlying(receiver)? {
            made @ Value::ExternalInstance { .. } => Some(eval.member_denoted(&made, name)),
            _ => None,
        }
    }

    fn external_call(&self, eval: &mut Evaluator<'_>, callee: ExternalCallee<'_>, args: &[Value]) -> Value {
        standard::call(eval, callee, args)
    }

    fn element(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        match value {
            _ if standard::is_opaque(value) => standard::opaque(),
            Value::ExternalInstance { name, args } => match &**name {
                "map" | "chan" | "iter.Seq" | "iter.Seq2" => args.first().cloned().unwrap_or(Value::Unknown),
                "[]" | "string" => Value::external_instance("int", Vec::new()),
                _ => standard::opaque(),
            },
            Value::Function { params, .. } => yielded(params, 0),
            Value::Symbol { symbol, bound } => yielded(&first_parameter(eval, *symbol, bound), 0),
            Value::External { .. } | Value::ExternalMethod { .. } => standard::opaque(),
            _ => eval.underlying(value).map_or(Value::Unknown, |inner| self.element(eval, &inner)),
        }
    }

    fn index(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        match value {
            _ if standard::is_opaque(value) => standard::opaque(),
            Value::ExternalInstance { name, args } => match &**name {
                "[]" => args.first().cloned().unwrap_or(Value::Unknown),
                "map" | "iter.Seq2" => args.get(1).cloned().unwrap_or(Value::Unknown),
                _ => standard::opaque(),
            },
            Value::Function { params, .. } => yielded(params, 1),
            Value::External { .. } | Value::ExternalMethod { .. } => standard::opaque(),
            // `f[T]`, which the grammar can't tell from an index.
            Value::Symbol { symbol, .. } if !eval.world.definition(*symbol).type_parameters.is_empty() => value.clone(),
            Value::Symbol { symbol, bound } => yielded(&first_parameter(eval, *symbol, bound), 1),
            _ => eval.underlying(value).map_or(Value::Unknown, |inner| self.index(eval, &inner)),
        }
    }

    fn deref_target(&self, eval: &mut Evaluator<'_>, value: &Value) -> Option<Value> {
        match value {
            Value::Object(members) => embedded(eval, members),
            _ => eval.underlying(value),
        }
    }

    fn extends_own_module_only(&self) -> bool {
        true
    }

    fn arguments_may_index(&self) -> bool {
        true
    }

    fn calls_of_types_convert(&self) -> bool {
        true
    }

    fn is_ubiquitous(&self, name: &str) -> bool {
        standard::is_ubiquitous(name)
    }
}

/// A package by its import path. Where no `go.mod` names a module, by what follows host, owner and repository.
fn find(modules: &Modules, path: &str) -> Option<ModuleId> {
    if let Some(module) = modules.find("go", path) {
        return Some(module);
    }
    let (host, _) = path.split_once('/')?;
    if !host.contains('.') {
        return None;
    }
    modules.find("go", path.splitn(4, '/').nth(3)?)
}

fn package_name<'w>(eval: &Evaluator<'w>, module: ModuleId) -> Option<&'w str> {
    let outline = eval.world.outline(eval.world.modules.get(module).file?);
    outline.package.map(|package| outline.names.get(package))
}

/// The first parameter of a function of the repository, if it has one.
fn first_parameter(eval: &mut Evaluator<'_>, symbol: SymbolRef, bound: &Substitution) -> Vec<Value> {
    let definition = eval.world.definition(symbol);
    let place = UseSite { file: symbol.file, scope: definition.scope };
    let written = definition.parameters.first().and_then(|parameter| parameter.value_type);
    written.map(|written| eval.type_of(place, written).substitute(bound)).into_iter().collect()
}

/// What the n-th variable of a range over a function is: a parameter of the function that it is given.
fn yielded(params: &[Value], index: usize) -> Value {
    match params.first() {
        Some(Value::Function { params, .. }) => params.get(index).cloned().unwrap_or(Value::Unknown),
        _ => Value::Unknown,
    }
}

/// What a struct without a name embeds: members that are called like their type.
fn embedded(eval: &Evaluator<'_>, members: &[(NameKey, Value)]) -> Option<Value> {
    let is_embedded = |(key, value): &&(NameKey, Value)| match value {
        Value::Instance { symbol, .. } => name_key(eval.world.name(*symbol)) == *key,
        _ => false,
    };
    let found = Value::union(members.iter().filter(is_embedded).map(|(_, value)| value.clone()));
    (!found.is_unknown()).then_some(found)
}
