//! Rules by which names resolve across Go files: imports, elements, underlying types.

use super::builtins::{CHANNEL, MAP, SEQ, SEQ2, SLICE, is_universal};
use super::modules::{self, clause_name, find_package};
use super::stdlib;
use super::{TRAITS, hooks::default_name};
use crate::facts::{Import, ImportName, NameKey, name_key};
use crate::resolve::eval::Evaluator;
use crate::resolve::input::{LanguageFiles, Manifest};
use crate::resolve::modules::{ModuleId, Modules};
use crate::resolve::rules::{ExternalCallee, Rules, Traits, UseSite};
use crate::resolve::value::{Substitution, SymbolRef, Value};

/// Go's resolution rules.
pub struct GoRules;

impl Rules for GoRules {
    fn traits(&self) -> &Traits {
        &TRAITS
    }

    fn is_public(&self, _modifiers: &[&str], names: &[&str], _is_member: bool) -> Option<bool> {
        Some(names.iter().all(|name| name.starts_with(char::is_uppercase)))
    }

    fn modules(&self, files: LanguageFiles<'_>, manifests: &[Manifest], modules: &mut Modules) {
        modules::add_modules(files, manifests, modules);
    }

    fn exported_module(&self, modules: &Modules, name: &str) -> Option<(ModuleId, usize)> {
        // The last segment of a path may have dots: `gopkg.in/yaml.v3.Node`.
        let last = name.rfind('/').map_or(0, |slash| slash + 1);
        let ends = name[last..].match_indices('.').map(|(dot, _)| last + dot).chain([name.len()]);
        let found = ends.filter_map(|end| Some((modules.find(super::NAME, &name[..end])?, end)));
        found.last().filter(|_| last > 0)
    }

    fn import(&self, eval: &mut Evaluator<'_>, site: UseSite, import: &Import) -> (Value, usize) {
        let outline = eval.world.outline(site.file);
        let Some(&path) = import.path.first() else { return (Value::Unknown, 0) };
        let path = outline.names.get(path);
        let package = find_package(&eval.world.modules, path);
        (package.map_or_else(|| Value::external(path), Value::Module), import.path.len())
    }

    /// An import binds the name in the package clause of the imported package, and extraction only guesses it from the
    /// path. An unbound name may therefore be the actual name of an imported package.
    fn resolve_unbound(&self, eval: &mut Evaluator<'_>, site: UseSite, name: &str) -> Option<Value> {
        let world = eval.world;
        let outline = world.outline(site.file);
        outline.imports.iter().filter(|import| import.name == ImportName::Module).find_map(|import| {
            let path = outline.names.get(*import.path.first()?);
            match find_package(&world.modules, path) {
                Some(module) => (clause_name(eval, module) == Some(name)).then_some(Value::Module(module)),
                // Of an external package, the name is a part of the last segment: `go-humanize`, `yaml.v3`.
                None => default_name(path).split(['-', '.']).any(|part| part == name).then(|| Value::external(path)),
            }
        })
    }

    fn resolve_builtin(&self, name: &str) -> Option<Value> {
        is_universal(name).then(|| Value::external_instance(name, Vec::new()))
    }

    fn external_member(&self, eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
        if stdlib::is_opaque(receiver) {
            return Some(stdlib::opaque_member());
        }
        // A defined type has the fields of its underlying type: `type State tls.ConnectionState`.
        match eval.underlying(receiver)? {
            underlying @ Value::ExternalInstance { .. } => Some(eval.member_denoted(&underlying, name)),
            _ => None,
        }
    }

    fn external_call(&self, eval: &mut Evaluator<'_>, callee: ExternalCallee<'_>, args: &[Value]) -> Value {
        stdlib::call_result(eval, callee, args)
    }

    fn element(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        match value {
            _ if stdlib::is_opaque(value) => stdlib::opaque(),
            Value::ExternalInstance { name, args } => match &**name {
                MAP | CHANNEL | SEQ | SEQ2 => args.first().cloned().unwrap_or(Value::Unknown),
                SLICE | "string" => Value::external_instance("int", Vec::new()),
                _ => stdlib::opaque(),
            },
            Value::Function { params, .. } => yield_parameter(params, 0),
            Value::Symbol { symbol, bound } => yield_parameter(&first_parameter(eval, *symbol, bound), 0),
            Value::External { .. } | Value::ExternalMethod { .. } => stdlib::opaque(),
            _ => eval.underlying(value).map_or(Value::Unknown, |inner| self.element(eval, &inner)),
        }
    }

    fn index(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        match value {
            _ if stdlib::is_opaque(value) => stdlib::opaque(),
            Value::ExternalInstance { name, args } => match &**name {
                SLICE => args.first().cloned().unwrap_or(Value::Unknown),
                MAP | SEQ2 => args.get(1).cloned().unwrap_or(Value::Unknown),
                _ => stdlib::opaque(),
            },
            Value::Function { params, .. } => yield_parameter(params, 1),
            Value::External { .. } | Value::ExternalMethod { .. } => stdlib::opaque(),
            // `f[T]`, which the grammar does not distinguish from an index expression.
            Value::Symbol { symbol, .. } if !eval.world.definition(*symbol).type_parameters.is_empty() => value.clone(),
            Value::Symbol { symbol, bound } => yield_parameter(&first_parameter(eval, *symbol, bound), 1),
            _ => eval.underlying(value).map_or(Value::Unknown, |inner| self.index(eval, &inner)),
        }
    }

    fn deref_target(&self, eval: &mut Evaluator<'_>, value: &Value) -> Option<Value> {
        match value {
            Value::Object(members) => embedded_fields(eval, members),
            _ => eval.underlying(value),
        }
    }
}

/// Returns the type of a function's first parameter, if it has one.
fn first_parameter(eval: &mut Evaluator<'_>, symbol: SymbolRef, bound: &Substitution) -> Vec<Value> {
    let definition = eval.world.definition(symbol);
    let site = UseSite { file: symbol.file, scope: definition.scope };
    let value_type = definition.parameters.first().and_then(|parameter| parameter.value_type);
    value_type.map(|value_type| eval.type_of(site, value_type).substitute(bound)).into_iter().collect()
}

/// Returns the `index`-th variable of a range over a function: that parameter of its `yield` function, which is the
/// first of `params` (Go specification, "For statements with range clause").
fn yield_parameter(params: &[Value], index: usize) -> Value {
    match params.first() {
        Some(Value::Function { params, .. }) => params.get(index).cloned().unwrap_or(Value::Unknown),
        _ => Value::Unknown,
    }
}

/// Returns the embedded fields of an anonymous struct: members whose name is that of their type.
fn embedded_fields(eval: &Evaluator<'_>, members: &[(NameKey, Value)]) -> Option<Value> {
    let is_embedded = |(key, value): &&(NameKey, Value)| match value {
        Value::Instance { symbol, .. } => name_key(eval.world.name(*symbol)) == *key,
        _ => false,
    };
    let embedded = Value::union(members.iter().filter(is_embedded).map(|(_, value)| value.clone()));
    (!embedded.is_unknown()).then_some(embedded)
}
