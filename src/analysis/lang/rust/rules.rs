//! Rules by which names resolve across Rust files: paths, imports, macros, the prelude.

use super::builtins::{CRATE_ROOT_PREFIX, MACRO_SUFFIX};
use super::crates::{self, CrateIndex, RUST, add_crates};
use super::{TRAITS, conversions, element_types, extension_methods, library, names, undeclared_members};
use crate::facts::{Import, ImportName, Outline, ScopeId, name_key};
use crate::model::FileIndex;
use crate::resolve::eval::Evaluator;
use crate::resolve::input::{LanguageFiles, Manifest};
use crate::resolve::modules::{ModuleId, Modules};
use crate::resolve::rules::{ExternalCallee, Rules, Traits, UnknownCall, UseSite};
use crate::resolve::value::{SymbolRef, Value};

/// The [`Rules`] of Rust.
pub struct RustRules;

impl Rules for RustRules {
    fn traits(&self) -> &Traits {
        &TRAITS
    }

    fn is_public(&self, _modifiers: &[&str], _names: &[&str], is_member: bool) -> Option<bool> {
        (!is_member).then_some(false)
    }

    fn modules(&self, files: LanguageFiles<'_>, manifests: &[Manifest], modules: &mut Modules) {
        add_crates(files, manifests, modules);
    }

    fn layout(&self, outline: &Outline) -> u64 {
        crates::layout(outline)
    }

    fn exported_module(&self, modules: &Modules, name: &str) -> Option<(ModuleId, usize)> {
        let first = name.split('.').next().unwrap_or_default();
        Some((*modules.state::<CrateIndex>(RUST)?.libraries.get(first)?, first.len()))
    }

    fn import(&self, eval: &mut Evaluator<'_>, site: UseSite, import: &Import) -> (Value, usize) {
        let outline = eval.world.outline(site.file);
        let Some(first) = import.path.first() else { return (Value::Unknown, 0) };
        let name = outline.names.get(*first);
        if import.level == 1 {
            let module = crate_index(eval).and_then(|crates| crates.mod_targets.get(&(site.file, import.position)));
            return (module.map_or(Value::Unknown, |module| Value::Module(*module)), import.path.len());
        }
        if matches!(name, "crate" | "self" | "super" | "$crate") {
            if let Some(&child) = declared_module(eval, site.file, import) {
                return (Value::Module(child), import.path.len());
            }
            let supers = import.path.iter().take_while(|segment| outline.names.get(**segment) == "super").count();
            let module = match name {
                "super" => ancestor_module(eval, site, supers),
                other => self_or_crate(eval, site, other),
            };
            return (module.map_or(Value::Unknown, Value::Module), supers.max(1));
        }
        for found in eval.lookup(site, *first, u32::MAX) {
            let value = eval.denoted(found);
            if !value.is_unknown() {
                return (value, 1);
            }
        }
        let child = child_module(eval, site, name).or_else(|| extern_crate(eval, name));
        (child.unwrap_or_else(|| Value::external(canonical_crate(name))), 1)
    }

    fn root(&self, eval: &mut Evaluator<'_>, site: UseSite, name: &str) -> Value {
        if let Some(name) = name.strip_suffix(MACRO_SUFFIX) {
            return match name.rsplit_once("::") {
                Some((path, name)) => resolve_macro_path(eval, site, path, name),
                None => resolve_macro(eval, site, name),
            };
        }
        if let Some(name) = name.strip_prefix(CRATE_ROOT_PREFIX) {
            return extern_crate(eval, name).unwrap_or_else(|| Value::external(canonical_crate(name)));
        }
        let module = match name.split("::").next() {
            Some("super") => ancestor_module(eval, site, name.split("::").count()),
            _ => self_or_crate(eval, site, name),
        };
        module.map_or(Value::Unknown, Value::Module)
    }

    fn resolve_builtin(&self, name: &str) -> Option<Value> {
        names::prelude_item(name)
    }

    fn resolve_unbound(&self, eval: &mut Evaluator<'_>, site: UseSite, name: &str) -> Option<Value> {
        let module = child_module(eval, site, name).or_else(|| extern_crate(eval, name));
        let crates = crate_index(eval)?;
        let is_crate = matches!(name, "std" | "core" | "alloc" | "proc_macro") || crates.dependencies.contains(name);
        module.or_else(|| is_crate.then(|| Value::external(canonical_crate(name))))
    }

    fn apply(&self, name: &str, args: Vec<Value>) -> Value {
        library::apply(name, args)
    }

    fn external_member(&self, eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
        undeclared_members::external_member(eval, receiver, name)
    }

    fn undeclared_member(&self, eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
        undeclared_members::undeclared_member(eval, receiver, name)
    }

    fn external_call(&self, eval: &mut Evaluator<'_>, callee: ExternalCallee<'_>, args: &[Value]) -> Value {
        match callee {
            ExternalCallee::Named(name, known) => library::function_result(eval, name, known, args),
            ExternalCallee::Method(receiver, name) => library::method_result(eval, receiver, name, args),
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
        match callee {
            ExternalCallee::Method(receiver, name) => {
                library::closure_parameter(eval, receiver, name, args, argument, parameter)
            }
            ExternalCallee::Named(..) => Value::Unknown,
        }
    }

    fn element(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        element_types::element(eval, value)
    }

    fn index(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        element_types::index_result(eval, value)
    }

    fn unwrap(&self, _eval: &mut Evaluator<'_>, value: &Value) -> Value {
        element_types::unwrapped(value)
    }

    fn awaitable(&self, result: Value, _declared: bool) -> Value {
        Value::external_instance("Future", vec![result])
    }

    fn deref_target(&self, eval: &mut Evaluator<'_>, value: &Value) -> Option<Value> {
        element_types::deref_target(eval, value)
    }

    fn external_fit(&self, actual: &Value, expected: &Value) -> Option<u32> {
        Some(extension_methods::fit_of_argument(actual, expected))
    }

    fn suggested_methods(&self, eval: &mut Evaluator<'_>, call: &UnknownCall<'_>) -> Vec<SymbolRef> {
        conversions::suggested(eval, call)
    }

    fn is_ubiquitous(&self, name: &str) -> bool {
        names::is_ubiquitous(name)
    }
}

fn crate_index<'w>(eval: &Evaluator<'w>) -> Option<&'w CrateIndex> {
    let world = eval.world;
    world.modules.state::<CrateIndex>(RUST)
}

/// Returns the module that `mod x;` declares, if the import was extracted from one.
fn declared_module<'w>(eval: &Evaluator<'w>, file: FileIndex, import: &Import) -> Option<&'w ModuleId> {
    if import.path.len() != 2 || import.name != ImportName::Module {
        return None;
    }
    crate_index(eval)?.mod_targets.get(&(file, import.position))
}

/// Returns a module in the one that contains the site, which a macro can have declared.
fn child_module(eval: &Evaluator<'_>, site: UseSite, name: &str) -> Option<Value> {
    let own = eval.world.modules.get(eval.module_at(site)?);
    own.children.get(&name_key(name)).map(|child| Value::Module(*child))
}

/// Returns a library crate of this repository by the name under which other crates use it.
fn extern_crate(eval: &Evaluator<'_>, name: &str) -> Option<Value> {
    crate_index(eval)?.libraries.get(name).map(|module| Value::Module(*module))
}

/// Maps `core` and `alloc` to `std`, which re-exports them, so that each item has one name.
fn canonical_crate(name: &str) -> &str {
    if matches!(name, "core" | "alloc") { "std" } else { name }
}

/// Returns the module `levels` above the one that contains the site.
fn ancestor_module(eval: &Evaluator<'_>, site: UseSite, levels: usize) -> Option<ModuleId> {
    let mut module = eval.module_at(site)?;
    for _ in 0..levels {
        module = eval.world.modules.get(module).parent?;
    }
    Some(module)
}

fn self_or_crate(eval: &Evaluator<'_>, site: UseSite, name: &str) -> Option<ModuleId> {
    let own = eval.module_at(site)?;
    if name == "self" {
        return Some(own);
    }
    Some(crate_root(eval, own))
}

/// Returns the root module of a module's crate.
fn crate_root(eval: &Evaluator<'_>, module: ModuleId) -> ModuleId {
    let mut module = module;
    while let Some(parent) = eval.world.modules.get(module).parent {
        module = parent;
    }
    module
}

/// Resolves a macro called without a path: to an enclosing definition, an imported one, or one at the top level of a
/// file of the same crate. A macro named like one of the standard library must be enclosing or imported.
fn resolve_macro(eval: &mut Evaluator<'_>, site: UseSite, name: &str) -> Value {
    eval.record_lookup(name_key(name));
    let all = crate_index(eval).and_then(|crates| crates.macros.get(name)).map_or(&[][..], Vec::as_slice);
    let enclosing = all.iter().find(|symbol| symbol.file == site.file && is_in_scope(eval, site, **symbol));
    if let Some(symbol) = enclosing {
        return Value::symbol(*symbol);
    }
    let imported = crate_index(eval).and_then(|crates| crates.first_imports.get(&(site.file, name_key(name))));
    if let Some(import) = imported {
        return match eval.import_target(site.file, *import) {
            // `#[macro_export]` places a macro at the crate's root, where it has no binding, and a module can have its name.
            Value::Unknown | Value::Module(_) => if_unique(all),
            value => value,
        };
    }
    let is_std = names::is_std_macro(name);
    let own_crate = eval.module_at(site).map(|module| crate_root(eval, module));
    let same_crate = all.iter().find(|symbol| {
        let top_level = eval.world.definition(**symbol).parent.is_none();
        let module = eval.world.modules.for_scope(symbol.file, ScopeId(0)).map(|module| crate_root(eval, module));
        top_level && module == own_crate
    });
    match same_crate {
        Some(symbol) if !is_std => Value::symbol(*symbol),
        _ if is_std => Value::external(&format!("std.{name}")),
        _ => Value::Unknown,
    }
}

/// Resolves a macro called by a path, in the crate that the path starts with.
fn resolve_macro_path(eval: &mut Evaluator<'_>, site: UseSite, path: &str, name: &str) -> Value {
    eval.record_lookup(name_key(name));
    let first = path.split("::").next().unwrap_or(path);
    let all = crate_index(eval).and_then(|crates| crates.macros.get(name)).map_or(&[][..], Vec::as_slice);
    let own = eval.module_at(site).map(|module| crate_root(eval, module));
    let crate_module = match first {
        "crate" | "self" | "super" | "$crate" => own,
        other => match extern_crate(eval, other) {
            Some(Value::Module(module)) => Some(module),
            _ => return Value::external(&format!("{}.{name}", canonical_crate(path).replace("::", "."))),
        },
    };
    let within = all.iter().find(|symbol| {
        eval.world.modules.for_scope(symbol.file, ScopeId(0)).map(|module| crate_root(eval, module)) == crate_module
    });
    within.map_or_else(|| if_unique(all), |symbol| Value::symbol(*symbol))
}

/// Returns the only candidate, or unknown if there are none or several.
fn if_unique(all: &[SymbolRef]) -> Value {
    match all {
        [symbol] => Value::symbol(*symbol),
        _ => Value::Unknown,
    }
}

/// Returns whether a macro's scope encloses the site.
fn is_in_scope(eval: &Evaluator<'_>, site: UseSite, symbol: SymbolRef) -> bool {
    let own = eval.world.definition(symbol).scope;
    let scopes = &eval.world.code(site.file).scopes;
    let mut at = Some(site.scope);
    while let Some(scope) = at {
        if scope == own {
            return true;
        }
        at = scopes.get(scope.0 as usize).and_then(|scope| scope.parent);
    }
    false
}
