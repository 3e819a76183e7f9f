//! Rules by which names resolve across TypeScript files.

use std::collections::HashMap;

use super::builtins::{CALL_SIGNATURE, DEFAULT_EXPORT, EXPORT_ASSIGNMENT, GLOBAL, GLOBAL_TYPINGS, OWN_EXPORTS};
use super::module_resolution::ModuleResolver;
use super::stdlib::{self, element_types, methods, names};
use super::{TRAITS, auto_imports::AutoImports};
use crate::facts::{Atom, Definition, Import, ImportName, Outline, ScopeId, name_key};
use crate::model::{FileIndex, SymbolKind};
use crate::resolve::eval::Evaluator;
use crate::resolve::input::{LanguageFiles, Manifest};
use crate::resolve::modules::{ModuleId, Modules};
use crate::resolve::rules::{ExternalCallee, Rules, Traits, UseSite};
use crate::resolve::value::{SymbolRef, Value};

/// The language in the module table.
pub const LANGUAGE: &str = "typescript";

/// The path of the module of the names that files declare for all files; no file has it.
const GLOBALS: &str = GLOBAL_TYPINGS;

/// Modules by importing file and specifier.
type Imported = HashMap<(FileIndex, Atom), ModuleId>;

/// The modules that imports refer to, resolved once when the modules are added, and the manifests that resolve others.
struct Imports {
    imported: Imported,
    resolver: ModuleResolver,
    automatic: AutoImports,
}

/// Returns whether all files see the names of a file.
fn is_global_typings(outline: &Outline) -> bool {
    outline.bindings.iter().any(|binding| outline.names.get(binding.name) == GLOBAL_TYPINGS)
}

/// Returns the modules that imports refer to, and the scopes of the names that files declare for all files.
fn imported_modules(
    files: LanguageFiles<'_>,
    resolver: &ModuleResolver,
    modules: &Modules,
) -> (Imported, Vec<(FileIndex, ScopeId)>) {
    let exists = |path: &str| modules.find(LANGUAGE, path).is_some();
    let (mut imported, mut globals) = (Imported::new(), Vec::new());
    files.each_outline(|number, file, outline| {
        let is_global = |one: &&Definition| {
            one.kind == SymbolKind::Package && one.parent.is_none() && outline.names.get(one.name) == GLOBAL
        };
        globals.extend(outline.definitions.iter().filter(is_global).map(|one| (number, one.scope)));
        globals.extend(is_global_typings(outline).then_some((number, ScopeId(0))));
        for import in &outline.imports {
            let Some(&path) = import.path.first() else { continue };
            if imported.contains_key(&(number, path)) {
                continue;
            }
            let found = resolver.resolve(file.path, outline.names.get(path), &exists);
            if let Some(module) = found.and_then(|found| modules.find(LANGUAGE, &found)) {
                imported.insert((number, path), module);
            }
        }
    });
    (imported, globals)
}

/// The [`Rules`] of TypeScript and JavaScript.
pub struct TypeScriptRules;

impl Rules for TypeScriptRules {
    fn traits(&self) -> &Traits {
        &TRAITS
    }

    /// Typings become a module by an import or export of any name.
    fn layout(&self, outline: &Outline) -> u64 {
        u64::from(is_global_typings(outline))
    }

    fn modules(&self, files: LanguageFiles<'_>, manifests: &[Manifest], modules: &mut Modules) {
        for (number, file) in files.files {
            let module = modules.add(LANGUAGE, file.path, None);
            modules.add_file(module, *number);
        }
        let resolver = ModuleResolver::new(manifests);
        let (imported, globals) = imported_modules(files, &resolver, modules);
        for (number, scope) in globals {
            let module = modules.add(LANGUAGE, GLOBALS, None);
            modules.add_block(module, number, scope);
        }
        let automatic = AutoImports::new(files.files, &resolver, modules);
        modules.set_state(LANGUAGE, Imports { imported, resolver, automatic });
    }

    fn exported_module(&self, modules: &Modules, name: &str) -> Option<(ModuleId, usize)> {
        let Imports { resolver, .. } = modules.state(LANGUAGE)?;
        let exists = |path: &str| modules.find(LANGUAGE, path).is_some();
        let ends = name.match_indices('.').map(|(dot, _)| dot).chain([name.len()]);
        let found = ends.filter_map(|end| {
            let path = resolver.by_package(&name[..end], &exists)?;
            Some((modules.find(LANGUAGE, &path)?, end))
        });
        found.last()
    }

    fn import(&self, eval: &mut Evaluator<'_>, site: UseSite, import: &Import) -> (Value, usize) {
        let outline = eval.world.outline(site.file);
        let specifier = import.path.first().map_or("", |path| outline.names.get(*path));
        let modules = &eval.world.modules;
        let imports = modules.state::<Imports>(LANGUAGE);
        let found = import.path.first().and_then(|path| imports?.imported.get(&(site.file, *path)).copied());
        let value = match found {
            Some(module) => {
                let key = name_key(EXPORT_ASSIGNMENT);
                eval.record_lookup(key);
                let is_meant = match import.name {
                    ImportName::Module => true,
                    // A member of what is exported as a whole.
                    ImportName::Named(name) => modules.bindings(module, outline.names.key(name)).is_empty(),
                    _ => false,
                };
                if is_meant && !modules.bindings(module, key).is_empty() {
                    eval.module_member(module, EXPORT_ASSIGNMENT)
                } else {
                    Value::Module(module)
                }
            }
            None if specifier == "#imports" => automatic_import(eval, site, import.name),
            None if specifier.starts_with('.') || specifier.is_empty() => Value::Unknown,
            None => Value::external(specifier.trim_start_matches("node:")),
        };
        (value, import.path.len())
    }

    fn resolve_unbound(&self, eval: &mut Evaluator<'_>, site: UseSite, name: &str) -> Option<Value> {
        if name == OWN_EXPORTS {
            return own_exports(eval, site.file);
        }
        let imports: &Imports = eval.world.modules.state(LANGUAGE)?;
        imports.automatic.resolve(eval, site.file, name).or_else(|| global(eval, name))
    }

    /// Interfaces of one name that files declare for all files are one.
    fn is_part(&self, outline: &Outline, definition: &Definition) -> bool {
        definition.scope_names.first().is_some_and(|outer| outline.names.get(*outer) == GLOBAL)
    }

    fn resolve_builtin(&self, name: &str) -> Option<Value> {
        names::is_global(name).then(|| Value::external(name))
    }

    fn apply_in(&self, eval: &mut Evaluator<'_>, name: &str, args: Vec<Value>) -> Value {
        stdlib::apply(eval, name, args)
    }

    fn external_member(&self, eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
        stdlib::member(eval, receiver, name)
    }

    /// Exports with names are members of the value that a file exports as a whole, and names of a namespace are members of
    /// the type or function with which it is merged.
    fn undeclared_member(&self, eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
        if let Value::Symbol { symbol, .. } = receiver
            && let Some(member) = merged_member(eval, *symbol, name)
        {
            return Some(member);
        }
        let symbol = match receiver {
            Value::Symbol { symbol, .. } | Value::Instance { symbol, .. } => symbol,
            // A component is what its file exports.
            Value::Module(module) if name == DEFAULT_EXPORT && is_component(&eval.world.modules.get(*module).path) => {
                return Some(receiver.clone());
            }
            _ => return None,
        };
        let module = eval.world.modules.for_scope(symbol.file, ScopeId(0))?;
        eval.record_lookup(name_key(EXPORT_ASSIGNMENT));
        if eval.world.modules.bindings(module, name_key(EXPORT_ASSIGNMENT)).is_empty() {
            return None;
        }
        let exported = eval.follow(|eval| eval.module_member(module, EXPORT_ASSIGNMENT));
        let is_exported = matches!(exported, Value::Symbol { symbol: whole, .. } if whole == *symbol);
        let member = if is_exported { eval.follow(|eval| eval.module_member(module, name)) } else { Value::Unknown };
        (!member.is_unknown()).then_some(member)
    }

    fn external_call(&self, eval: &mut Evaluator<'_>, callee: ExternalCallee<'_>, args: &[Value]) -> Value {
        stdlib::call(eval, callee, args)
    }

    fn external_lambda(
        &self,
        eval: &mut Evaluator<'_>,
        callee: ExternalCallee<'_>,
        args: &[Value],
        argument: u16,
        parameter: u16,
    ) -> Value {
        methods::closure_parameter(eval, callee, args, argument, parameter)
    }

    fn element(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        element_types::element(eval, value)
    }

    fn index(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        element_types::index(eval, value)
    }

    fn item(&self, eval: &mut Evaluator<'_>, value: &Value, _index: usize) -> Value {
        element_types::element(eval, value)
    }

    fn unwrap(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        element_types::unwrap(eval, value)
    }

    fn awaitable(&self, result: Value, declared: bool) -> Value {
        if declared { result } else { stdlib::promise(result) }
    }

    fn callable(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        element_types::signature_of(eval, value, CALL_SIGNATURE)
    }
}

/// Returns what a file's own code means by its exports: what it exports as a whole, with its exports that have names.
fn own_exports(eval: &mut Evaluator<'_>, file: FileIndex) -> Option<Value> {
    let module = eval.world.modules.for_scope(file, ScopeId(0))?;
    let whole = eval.follow(|eval| eval.module_member(module, EXPORT_ASSIGNMENT));
    Some(Value::union([whole, Value::Module(module)]))
}

/// Returns what files declare for all files under a name, unless the library's type of this name is known better.
fn global(eval: &mut Evaluator<'_>, name: &str) -> Option<Value> {
    let module = eval.world.modules.find(LANGUAGE, GLOBALS).filter(|_| !stdlib::is_modeled(name))?;
    let found = eval.module_member(module, name);
    (!found.is_unknown()).then_some(found)
}

/// Returns what a namespace with the name of a type or function declares for both: `namespace Mode` beside `enum Mode`.
fn merged_member(eval: &mut Evaluator<'_>, symbol: SymbolRef, name: &str) -> Option<Value> {
    let world = eval.world;
    let definition = world.definition(symbol);
    if definition.parent.is_some() {
        return None;
    }
    let module = world.modules.for_scope(symbol.file, ScopeId(0))?;
    let merged = world.outline(symbol.file).names.key(definition.name);
    let namespace = *world.modules.get(module).children.get(&merged)?;
    let member = eval.follow(|eval| eval.module_member(namespace, name));
    (!member.is_unknown()).then_some(member)
}

/// Returns whether a file is a component of Vue or Svelte.
fn is_component(path: &str) -> bool {
    [".vue", ".svelte"].iter().any(|ending| path.ends_with(ending))
}

/// Returns an object with the name that is imported from those that the framework imports by itself.
fn automatic_import(eval: &mut Evaluator<'_>, site: UseSite, name: ImportName) -> Value {
    let ImportName::Named(name) = name else { return Value::Unknown };
    let text = eval.world.outline(site.file).names.get(name);
    let imports = eval.world.modules.state::<Imports>(LANGUAGE);
    let value = imports.and_then(|imports| imports.automatic.resolve(eval, site.file, text)).unwrap_or_default();
    Value::Object([(name_key(text), value)].into())
}
