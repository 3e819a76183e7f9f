//! Rules by which names resolve across Ruby files: one namespace, files by path, the core classes.

use std::sync::{Arc, LazyLock};

use super::declarations::{IN_TESTS, mixed_into};
use super::{GLOBAL, NAME, TRAITS, core_methods, erb, frameworks, tables};
use crate::facts::{BaseRelation, BindingKind, Import, ScopeId, ScopeKind, name_key};
use crate::lang::common::library::Library;
use crate::lang::common::modules::joined;
use crate::model::{FileIndex, SymbolKind};
use crate::resolve::eval::Evaluator;
use crate::resolve::input::{LanguageFiles, Manifest};
use crate::resolve::modules::{ModuleId, Modules};
use crate::resolve::rules::{ExternalCallee, Rules, Traits, UnknownCall, UseSite};
use crate::resolve::value::{SymbolRef, Value};
use crate::text::parent_dir;

/// Ruby's resolution rules.
pub struct RubyRules;

/// Maximum number of types in which the methods of a module are looked up.
const MAX_MIXED: usize = 64;

/// Methods of every object that return their receiver, or a copy of it.
const RETURNS_ITSELF: &[&str] = &["clone", "dup", "freeze", "itself", "tap"];

/// Results of the core classes' methods.
static LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::read(include_str!("library.txt")));

impl Rules for RubyRules {
    fn traits(&self) -> &Traits {
        &TRAITS
    }

    fn is_public(&self, _modifiers: &[&str], _names: &[&str], _is_member: bool) -> Option<bool> {
        Some(true)
    }

    fn modules(&self, files: LanguageFiles<'_>, _manifests: &[Manifest], modules: &mut Modules) {
        let global = modules.add(NAME, GLOBAL, None);
        for (number, file) in files.files {
            modules.add_block(global, *number, ScopeId(0));
            let path = without_ending(file.path);
            let module = modules.add(NAME, path, None);
            modules.set_file(module, *number);
            // Folders from which files are required.
            for folder in ["lib/", "app/", "test/", "spec/"] {
                let at = path.rfind(&format!("/{folder}")).map(|at| at + 1).or(path.starts_with(folder).then_some(0));
                if let Some(at) = at {
                    modules.alias(NAME, &path[at + folder.len()..], module);
                }
            }
        }
    }

    fn import(&self, eval: &mut Evaluator<'_>, site: UseSite, import: &Import) -> (Value, usize) {
        let outline = eval.world.outline(site.file);
        let Some(&path) = import.path.first() else { return (Value::Unknown, 0) };
        let path = without_ending(outline.names.get(path));
        let folder = parent_dir(eval.world.files[site.file.index()].path);
        let find = |path: &str| eval.world.modules.find(NAME, path);
        let relative = || find(&joined(folder, path));
        let module: Option<ModuleId> = if import.level > 0 { relative() } else { find(path).or_else(relative) };
        match module {
            Some(module) => (Value::Module(module), 1),
            None if import.level > 0 => (Value::Unknown, 1),
            None => (Value::external(path.split('/').next().unwrap_or(path)), 1),
        }
    }

    fn root(&self, eval: &mut Evaluator<'_>, _site: UseSite, _name: &str) -> Value {
        eval.world.modules.find(NAME, GLOBAL).map_or(Value::Unknown, Value::Module)
    }

    fn resolve_unbound(&self, eval: &mut Evaluator<'_>, site: UseSite, name: &str) -> Option<Value> {
        erb::helper(eval, site.file, name).or_else(|| included_in_tests(eval, site.file, name))
    }

    /// Constants that no file defines are of the standard library or of gems.
    fn resolve_builtin(&self, name: &str) -> Option<Value> {
        if name.starts_with(|first: char| first.is_ascii_uppercase()) {
            return Some(Value::external(name));
        }
        core_methods::is_of_every_object(name).then(silent)
    }

    /// Functions outside of all types are methods of every object, as are those of the core.
    fn undeclared_member(&self, eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
        let global = eval.world.modules.find(NAME, GLOBAL)?;
        if let Value::Parent { symbol } = receiver {
            return behind_module(eval, global, *symbol, name);
        }
        if !matches!(receiver, Value::Instance { .. } | Value::Symbol { .. }) {
            return None;
        }
        let is_constant = name.starts_with(|first: char| first.is_ascii_uppercase() || first == '@');
        if !is_constant
            && let Some(found) = (frameworks::member(eval, receiver, name))
                .or_else(|| mixed_in(eval, global, receiver, name))
                .or_else(|| tables::column(eval, receiver, name))
        {
            return Some(found);
        }
        let known = if is_constant { Value::Unknown } else { eval.module_member(global, name) };
        if let Value::Symbol { symbol, .. } = &known
            && let definition = eval.world.definition(*symbol)
            && definition.kind.is_callable()
            // Product code never runs what only tests define.
            && (!definition.flags.is_test || eval.world.outline(eval.resolved_file()).is_test)
        {
            return Some(known);
        }
        if matches!(receiver, Value::Instance { .. }) && RETURNS_ITSELF.contains(&name) {
            return Some(Value::ExternalMethod { receiver: Arc::new(receiver.clone()), name: name.into() });
        }
        core_methods::is_of_every_object(name).then(silent)
    }

    /// Constructors of external classes are their classes.
    fn external_member(&self, _eval: &mut Evaluator<'_>, _receiver: &Value, name: &str) -> Option<Value> {
        (name == "initialize").then(silent)
    }

    fn external_call(&self, _eval: &mut Evaluator<'_>, callee: ExternalCallee<'_>, args: &[Value]) -> Value {
        match callee {
            ExternalCallee::Method(receiver @ Value::Instance { .. }, name) if RETURNS_ITSELF.contains(&name) => {
                receiver.clone()
            }
            ExternalCallee::Method(receiver, name) => LIBRARY.result(receiver, name, args),
            ExternalCallee::Named(name, _) => match name.rsplit_once('.') {
                Some((class, method)) => LIBRARY.result(&Value::external_instance(class, Vec::new()), method, args),
                None => Value::external_instance(name, Vec::new()),
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
            ExternalCallee::Method(receiver @ Value::Instance { .. }, "tap") if parameter == 0 => receiver.clone(),
            ExternalCallee::Method(receiver, name) => LIBRARY.lambda_parameter(receiver, name, parameter),
            ExternalCallee::Named(..) => Value::Unknown,
        }
    }

    /// Returns the method of an instance that a block in the body of its class calls, which runs on the instance at some time:
    /// `after_create { notify }`.
    fn suggested_methods(&self, eval: &mut Evaluator<'_>, call: &UnknownCall<'_>) -> Vec<SymbolRef> {
        let world = eval.world;
        let file = call.site.file;
        let (Some(Value::Symbol { symbol, .. }), Some(source)) = (&call.receiver, call.source) else {
            return Vec::new();
        };
        let is_block =
            world.code(file).scopes.get(call.site.scope.0 as usize).is_some_and(|scope| scope.kind != ScopeKind::Type);
        let class = world.open_types.representative(SymbolRef { file, definition: source });
        if !is_block || class != *symbol || !world.definition(class).kind.is_type() {
            return Vec::new();
        }
        let own = eval.own_instance(class);
        let name = world.outline(file).names.get(call.name);
        eval.members(&own, name).into_iter().map(|member| member.symbol).take(1).collect()
    }

    fn is_ubiquitous(&self, name: &str) -> bool {
        core_methods::is_ubiquitous(name)
    }
}

/// Returns the method that a module calls on the types that it is mixed into, if it is the same one in all of them.
fn mixed_in(eval: &mut Evaluator<'_>, global: ModuleId, receiver: &Value, name: &str) -> Option<Value> {
    let world = eval.world;
    let Value::Instance { symbol: module, .. } = receiver else { return None };
    if world.definition(*module).kind != SymbolKind::Interface {
        return None;
    }
    let mut found: Option<Value> = None;
    for is_static in [false, true] {
        let key = name_key(&mixed_into(world.name(*module), is_static));
        eval.record_lookup(key);
        let mixed = world.modules.bindings(global, key);
        if mixed.len() > MAX_MIXED {
            return None;
        }
        for &(file, index) in mixed {
            let BindingKind::Definition(definition) = world.outline(file).bindings[index as usize].kind else {
                continue;
            };
            let own = eval.own_instance(SymbolRef { file, definition });
            let Value::Instance { symbol, .. } = own else { continue };
            let is_mixed = is_static || eval.ancestors(&own).contains(receiver);
            if !is_mixed || symbol == *module {
                continue;
            }
            let base = if is_static { Value::symbol(symbol) } else { own };
            if let Value::Symbol { symbol, .. } = eval.follow(|eval| eval.member_denoted(&base, name)) {
                match &found {
                    Some(Value::Symbol { symbol: known, .. }) if *known != symbol => return None,
                    _ => found = Some(Value::symbol(symbol)),
                }
            }
        }
    }
    found
}

/// Returns the method that `super` runs in a method of a module: the next one behind the module in the types that it is mixed into.
fn behind_module(eval: &mut Evaluator<'_>, global: ModuleId, module: SymbolRef, name: &str) -> Option<Value> {
    let world = eval.world;
    if world.definition(module).kind != SymbolKind::Interface {
        return None;
    }
    let (key, method) = (name_key(&mixed_into(world.name(module), false)), name_key(name));
    [key, method].into_iter().for_each(|key| eval.record_lookup(key));
    let mut found: Vec<Value> = Vec::new();
    for &(file, index) in world.modules.bindings(global, key).iter().take(MAX_MIXED) {
        let BindingKind::Definition(definition) = world.outline(file).bindings[index as usize].kind else {
            continue;
        };
        let own = eval.own_instance(SymbolRef { file, definition });
        let Value::Instance { symbol: class, .. } = own else { continue };
        let is_module = |value: &Value| matches!(value, Value::Instance { symbol, .. } if *symbol == module);
        let is_prepended = eval.related_modules(class, BaseRelation::Prepended).iter().any(is_module);
        let ancestors = eval.ancestors(&own);
        let Some(place) = ancestors.iter().position(is_module) else { continue };
        let behind = if is_prepended { &ancestors[..] } else { &ancestors[place + 1..] };
        let next = behind.iter().filter(|ancestor| !is_module(ancestor)).find_map(|ancestor| match ancestor {
            Value::Instance { symbol, .. } => {
                let is_plain = |member: &&SymbolRef| !world.definition(**member).flags.is_static;
                world.own_members(*symbol, method).iter().find(is_plain).copied()
            }
            _ => None,
        });
        if let Some(next) = next.map(Value::symbol)
            && !found.contains(&next)
        {
            found.push(next);
        }
    }
    Some(Value::union(found)).filter(|found| !found.is_unknown())
}

/// Returns a callee without an edge and without a failure.
pub fn silent() -> Value {
    Value::Function { params: [].into(), result: Value::Unknown.into() }
}

fn without_ending(path: &str) -> &str {
    path.strip_suffix(".rb").unwrap_or(path)
}

/// Returns the method that all tests have of a module which the configuration of a test framework includes.
fn included_in_tests(eval: &mut Evaluator<'_>, file: FileIndex, name: &str) -> Option<Value> {
    let world = eval.world;
    // The included modules are constants themselves: one that no file defines would be looked for among its own methods.
    if !world.outline(file).is_test || name.starts_with(|first: char| first.is_uppercase()) {
        return None;
    }
    let key = name_key(IN_TESTS);
    eval.record_lookup(key);
    for &module in world.modules.binding_modules(key) {
        for &(from, index) in world.modules.bindings(module, key) {
            let binding = world.outline(from).bindings[index as usize];
            let BindingKind::Alias(expr) = binding.kind else { continue };
            let value = eval.denote(UseSite { file: from, scope: binding.scope }, expr, binding.position);
            let Value::Symbol { symbol, .. } = value else { continue };
            let own = eval.own_instance(symbol);
            if let Some(member) = eval.members(&own, name).into_iter().next() {
                return Some(Value::symbol(member.symbol));
            }
        }
    }
    None
}
