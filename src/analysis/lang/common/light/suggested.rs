//! Extensions of types of libraries that a call suggests, where only the library knows whether its receiver has such a type.

use super::rules::LightRules;
use crate::facts::{BindingKind, ImportName, ScopeId, name_key};
use crate::model::FileIndex;
use crate::resolve::eval::{Evaluator, plain_name};
use crate::resolve::modules::ModuleId;
use crate::resolve::rules::{Rules, UnknownCall, UseSite};
use crate::resolve::value::{SymbolRef, Value};
use crate::resolve::world::ExtensionRef;

/// Returns the extensions that a call suggests: those that the file imports by their name, or the only one that it sees.
pub fn extensions(rules: &LightRules, eval: &mut Evaluator<'_>, call: &UnknownCall<'_>) -> Vec<SymbolRef> {
    if !rules.layout_is_packages() || !rules.traits.marks_callees {
        return Vec::new();
    }
    let world = eval.world;
    let imported = imported(eval, call);
    let own = plain_name(world.outline(call.site.file).names.get(call.name));
    let name = imported.map_or(own, |(_, name)| name);
    if !eval.any_has_member(name_key(name)) || !may_extend(rules, eval, call, imported.is_some()) {
        return Vec::new();
    }
    let mut added = rules.added(eval, name).to_vec();
    eval.count(added.len());
    let module = |file| world.modules.for_scope(file, ScopeId(0));
    match imported {
        Some((owner, _)) => added.retain(|(block, _)| module(block.0) == Some(owner)),
        None => {
            let visible = visible_modules(eval, call.site.file);
            let target = |block: ExtensionRef| world.outline(block.0).names.get(world.extension(block).target_name);
            let first = added.first().map(|(block, _)| target(*block));
            let is_seen = |block: ExtensionRef| module(block.0).is_some_and(|module| visible.contains(&module));
            if rules.is_ubiquitous(name) || !added.iter().all(|(block, _)| Some(target(*block)) == first) {
                return Vec::new();
            }
            added.retain(|(block, _)| is_seen(*block));
        }
    }
    let found: Vec<SymbolRef> = added.into_iter().map(|(_, member)| member).collect();
    found.iter().for_each(|member| eval.consult(*member));
    eval.fitting(&found, call.site, call.args, call.at)
}

/// Returns the package of the function that an import by its name means, and the function's own name.
fn imported<'w>(eval: &mut Evaluator<'w>, call: &UnknownCall<'_>) -> Option<(ModuleId, &'w str)> {
    let UseSite { file, scope } = call.site;
    let scope = if call.receiver.is_some() { ScopeId(0) } else { scope };
    let found = eval.lookup(UseSite { file, scope }, call.name, call.at).next()?;
    let BindingKind::Import(import) = found.binding.kind else { return None };
    let outline = eval.world.outline(found.file);
    let ImportName::Named(name) = outline.imports[import.0 as usize].name else { return None };
    match eval.import_owner(found.file, import.0) {
        Value::Module(module) => Some((module, outline.names.get(name))),
        _ => None,
    }
}

/// Returns the packages whose names a file has in scope: its own, and those that it imports as a whole.
fn visible_modules(eval: &mut Evaluator<'_>, file: FileIndex) -> Vec<ModuleId> {
    let world = eval.world;
    let mut modules: Vec<ModuleId> = world.modules.for_scope(file, ScopeId(0)).into_iter().collect();
    for &number in world.globs.of_scope(file, ScopeId(0), false).all() {
        if let Value::Module(module) = eval.import_target(file, number) {
            modules.push(module);
        }
    }
    modules
}

/// Returns whether the type of a call's receiver can be below another type of a library; also an unknown one, if the file
/// imports the function by its name.
fn may_extend(rules: &LightRules, eval: &mut Evaluator<'_>, call: &UnknownCall<'_>, is_imported: bool) -> bool {
    let receiver = match &call.receiver {
        Some(receiver) => receiver.clone(),
        None if is_imported => return true,
        None => eval.receiver(call.site),
    };
    match &receiver {
        Value::ExternalInstance { .. } => !rules.is_known_type(&receiver),
        Value::ExternalMethod { .. } => true,
        Value::Instance { .. } => {
            let ancestors = eval.ancestors(&receiver);
            ancestors.iter().any(|one| matches!(one, Value::ExternalInstance { .. }) && !rules.is_known_type(one))
        }
        Value::Unknown => is_imported && call.receiver.is_some(),
        _ => false,
    }
}

/// Returns whether a file has an extension in scope: it is of the file's package, or imported by its name or with its package.
pub fn is_visible(eval: &mut Evaluator<'_>, file: FileIndex, method: SymbolRef) -> bool {
    let key = name_key(&format!("sees {file:?} {method:?}"));
    *eval.memoized(key, |eval| {
        let world = eval.world;
        let package = |file| world.modules.for_scope(file, ScopeId(0));
        let own = package(method.file);
        if own == package(file) {
            return true;
        }
        let outline = world.outline(file);
        (0_u32..).zip(&outline.imports).any(|(number, import)| match import.name {
            ImportName::Named(name) if outline.names.get(name) != world.name(method) => false,
            _ => match eval.import_owner(file, number) {
                Value::Module(module) => Some(module) == own,
                // A method in an object.
                Value::Symbol { symbol, .. } => package(symbol.file) == own,
                _ => false,
            },
        })
    })
}
