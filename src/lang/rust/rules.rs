//! How names resolve across Rust files.

use super::crates::{Project, RUST, add_crates};
use super::{contents, library, methods, missing, names, sequences};
use crate::facts::{Import, ImportName, ScopeId, name_key};
use crate::resolve::eval::Evaluator;
use crate::resolve::input::{FileInput, Manifest};
use crate::resolve::modules::{ModuleId, Modules};
use crate::resolve::rules::{ExternalCallee, Rules, UseSite};
use crate::resolve::value::{SymbolRef, Value};

/// Rust's rules.
pub struct RustRules;

impl Rules for RustRules {
    fn modules(&self, files: &[(u32, FileInput<'_>)], manifests: &[Manifest], modules: &mut Modules) {
        add_crates(files, manifests, modules);
    }

    fn import(&self, eval: &mut Evaluator<'_>, place: UseSite, import: &Import) -> (Value, usize) {
        let outline = eval.world.outline(place.file);
        let Some(first) = import.path.first() else { return (Value::Unknown, 0) };
        let name = outline.names.get(*first);
        if matches!(name, "crate" | "self" | "super" | "$crate") {
            if let Some(&child) = declared(eval, place.file, import) {
                return (Value::Module(child), import.path.len());
            }
            let supers = import.path.iter().take_while(|segment| outline.names.get(**segment) == "super").count();
            let module = match name {
                "super" => climb(eval, place, supers),
                other => named_root(eval, place, other),
            };
            return (module.map_or(Value::Unknown, Value::Module), supers.max(1));
        }
        for found in eval.lookup(place, *first, u32::MAX) {
            let value = eval.denoted(found);
            if !value.is_unknown() {
                return (value, 1);
            }
        }
        (extern_crate(eval, name).unwrap_or_else(|| Value::external(canonical(name))), 1)
    }

    fn root(&self, eval: &mut Evaluator<'_>, place: UseSite, name: &str) -> Value {
        if let Some(name) = name.strip_suffix('!') {
            return match name.rsplit_once("::") {
                Some((path, name)) => macro_of(eval, place, path, name),
                None => macro_named(eval, place, name),
            };
        }
        if let Some(name) = name.strip_prefix("::") {
            return extern_crate(eval, name).unwrap_or_else(|| Value::external(canonical(name)));
        }
        let module = match name.split("::").next() {
            Some("super") => climb(eval, place, name.split("::").count()),
            _ => named_root(eval, place, name),
        };
        module.map_or(Value::Unknown, Value::Module)
    }

    fn resolve_builtin(&self, name: &str) -> Option<Value> {
        names::prelude(name)
    }

    fn resolve_unbound(&self, eval: &mut Evaluator<'_>, _place: UseSite, name: &str) -> Option<Value> {
        let module = extern_crate(eval, name);
        let project = project(eval)?;
        let is_crate = matches!(name, "std" | "core" | "alloc" | "proc_macro") || project.dependencies.contains(name);
        module.or_else(|| is_crate.then(|| Value::external(canonical(name))))
    }

    fn apply(&self, name: &str, args: Vec<Value>) -> Value {
        library::apply(name, args)
    }

    fn external_member(&self, eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
        missing::member(eval, receiver, name)
    }

    fn undeclared_member(&self, eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
        missing::missing(eval, receiver, name)
    }

    fn external_call(&self, eval: &mut Evaluator<'_>, callee: ExternalCallee<'_>, args: &[Value]) -> Value {
        match callee {
            ExternalCallee::Named(name, known) => library::call(eval, name, known, args),
            ExternalCallee::Method(receiver, name) => methods::call(eval, receiver, name, args),
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
                sequences::closure_parameter(eval, receiver, name, args, argument, parameter)
            }
            ExternalCallee::Named(..) => Value::Unknown,
        }
    }

    fn element(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        contents::element(eval, value)
    }

    fn index(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        contents::indexed(eval, value)
    }

    fn unwrap(&self, _eval: &mut Evaluator<'_>, value: &Value) -> Value {
        contents::unwrapped(value)
    }

    fn awaitable(&self, result: Value, _declared: bool) -> Value {
        Value::external_instance("Future", vec![result])
    }

    fn only_variants_callable(&self) -> bool {
        true
    }

    fn deref_target(&self, eval: &mut Evaluator<'_>, value: &Value) -> Option<Value> {
        contents::dereferenced(eval, value)
    }

    fn modules_are_closed(&self) -> bool {
        true
    }

    fn is_ubiquitous(&self, name: &str) -> bool {
        names::is_ubiquitous(name)
    }
}

fn project<'w>(eval: &Evaluator<'w>) -> Option<&'w Project> {
    let world = eval.world;
    world.modules.state::<Project>(RUST)
}

/// The module that an import made from `mod x;` leads to.
fn declared<'w>(eval: &Evaluator<'w>, file: u32, import: &Import) -> Option<&'w ModuleId> {
    if import.path.len() != 2 || import.name != ImportName::Module {
        return None;
    }
    project(eval)?.declared.get(&(file, import.position))
}

/// A library of this repository by its crate name.
fn extern_crate(eval: &Evaluator<'_>, name: &str) -> Option<Value> {
    project(eval)?.libraries.get(name).map(|module| Value::Module(*module))
}

/// `core` and `alloc` are parts of `std`, and one thing must have one name.
fn canonical(name: &str) -> &str {
    if matches!(name, "core" | "alloc") { "std" } else { name }
}

/// The module that is `levels` above the one around a place.
fn climb(eval: &Evaluator<'_>, place: UseSite, levels: usize) -> Option<ModuleId> {
    let mut module = eval.module_at(place)?;
    for _ in 0..levels {
        module = eval.world.modules.get(module).parent?;
    }
    Some(module)
}

fn named_root(eval: &Evaluator<'_>, place: UseSite, name: &str) -> Option<ModuleId> {
    let own = eval.module_at(place)?;
    if name == "self" {
        return Some(own);
    }
    Some(crate_of(eval, own))
}

/// The root module of a module's crate.
fn crate_of(eval: &Evaluator<'_>, module: ModuleId) -> ModuleId {
    let mut module = module;
    while let Some(parent) = eval.world.modules.get(module).parent {
        module = parent;
    }
    module
}

/// The macro that a call by its plain name means: one defined around the call, one at the top of a file of the same
/// crate, or an imported one. Names of the standard library need the first or the last.
fn macro_named(eval: &mut Evaluator<'_>, place: UseSite, name: &str) -> Value {
    let all = project(eval).and_then(|project| project.macros.get(name)).map_or(&[][..], Vec::as_slice);
    let around = all.iter().find(|symbol| symbol.file == place.file && encloses(eval, place, **symbol));
    if let Some(symbol) = around {
        return Value::symbol(*symbol);
    }
    let imported = project(eval).and_then(|project| project.imported.get(&(place.file, name_key(name))));
    if let Some(number) = imported {
        return match eval.import_target(place.file, *number) {
            // What `#[macro_export]` puts at a crate's root is bound nowhere.
            Value::Unknown => only(all),
            value => value,
        };
    }
    let is_standard = names::is_macro(name);
    let own_crate = eval.module_at(place).map(|module| crate_of(eval, module));
    let beside = all.iter().find(|symbol| {
        let top_level = eval.world.definition(**symbol).parent.is_none();
        let module = eval.world.modules.for_scope(symbol.file, ScopeId(0)).map(|module| crate_of(eval, module));
        top_level && module == own_crate
    });
    match beside {
        Some(symbol) if !is_standard => Value::symbol(*symbol),
        _ if is_standard => Value::external(&format!("std.{name}")),
        _ => Value::Unknown,
    }
}

/// The macro that a path ends in: of the crate that the path starts with.
fn macro_of(eval: &mut Evaluator<'_>, place: UseSite, path: &str, name: &str) -> Value {
    let first = path.split("::").next().unwrap_or(path);
    let all = project(eval).and_then(|project| project.macros.get(name)).map_or(&[][..], Vec::as_slice);
    let own = eval.module_at(place).map(|module| crate_of(eval, module));
    let holder = match first {
        "crate" | "self" | "super" | "$crate" => own,
        other => match extern_crate(eval, other) {
            Some(Value::Module(module)) => Some(module),
            _ => return Value::external(&format!("{}.{name}", canonical(path).replace("::", "."))),
        },
    };
    let within = all.iter().find(|symbol| {
        eval.world.modules.for_scope(symbol.file, ScopeId(0)).map(|module| crate_of(eval, module)) == holder
    });
    within.map_or_else(|| only(all), |symbol| Value::symbol(*symbol))
}

/// The only one, or nothing.
fn only(all: &[SymbolRef]) -> Value {
    match all {
        [symbol] => Value::symbol(*symbol),
        _ => Value::Unknown,
    }
}

/// True when a macro's own scope is one of those around a place.
fn encloses(eval: &Evaluator<'_>, place: UseSite, symbol: SymbolRef) -> bool {
    let own = eval.world.definition(symbol).scope;
    let scopes = &eval.world.code(place.file).scopes;
    let mut at = Some(place.scope);
    while let Some(scope) = at {
        if scope == own {
            return true;
        }
        at = scopes.get(scope.0 as usize).and_then(|scope| scope.parent);
    }
    false
}
