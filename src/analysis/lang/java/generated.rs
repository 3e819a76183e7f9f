//! Methods that generators such as Lombok add to a type: accessors of its fields, and its builder.
//!
//! Code that compiles calls no method that its class lacks. So a getter of a field that no class declares is a generated
//! one, unless a class outside of the repository can have it.

use crate::facts::FileFacts;
use crate::model::SymbolKind;
use crate::resolve::eval::Evaluator;
use crate::resolve::value::{SymbolRef, Value};

/// Beginnings of the names of accessors. The rest is the name of the field, with a capital.
const ACCESSORS: &[&str] = &["get", "is", "set", "with"];

/// Returns what a method stands for that no class declares: the field that it reads or sets, or for a builder the type
/// that it makes.
pub fn method(eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
    let (Value::Instance { symbol, .. } | Value::Symbol { symbol, .. }) = *receiver else { return None };
    let definition = eval.world.definition(symbol);
    if !definition.kind.is_type() || definition.flags.is_alias {
        return None;
    }
    let is_generated = definition.flags.has_generated_members;
    if !is_generated && has_external_base(eval, symbol) {
        return None;
    }
    let is_builder = matches!(name, "builder" | "toBuilder" | "build")
        || name.strip_suffix("Builder") == Some(eval.world.name(symbol));
    if is_builder && is_generated {
        return Some(Value::symbol(symbol));
    }
    let own = eval.own_instance(symbol);
    let accessed = ACCESSORS.iter().filter_map(|accessor| decapitalized(name.strip_prefix(accessor)?));
    let mut names = accessed.chain([name.to_owned()]);
    names.find_map(|field| {
        let found = eval.members(&own, &field).into_iter().next()?.symbol;
        let definition = eval.world.definition(found);
        let is_field = definition.kind == SymbolKind::Field && !definition.flags.is_variant;
        is_field.then(|| Value::symbol(found))
    })
}

/// Returns a text with a capital at its start, with a small letter there.
fn decapitalized(text: &str) -> Option<String> {
    let first = text.chars().next().filter(|first| first.is_uppercase())?;
    Some(first.to_lowercase().chain(text.chars().skip(1)).collect())
}

/// Returns the facts of a file, whose types are marked if it imports annotations that make code. The mark is part of a type's
/// fingerprint, by which other files are resolved again when the import comes or goes.
pub fn marked(mut facts: FileFacts) -> FileFacts {
    let outline = &mut facts.outline;
    let is_generator = |package: &str| package == "lombok" || package.starts_with("lombok.");
    let mut packages = outline.imports.iter().filter_map(|import| import.path.first());
    if packages.any(|package| is_generator(outline.names.get(*package))) {
        let types = outline.definitions.iter_mut().filter(|definition| definition.kind.is_type());
        types.for_each(|definition| definition.flags.has_generated_members = true);
    }
    facts
}

fn has_external_base(eval: &mut Evaluator<'_>, symbol: SymbolRef) -> bool {
    let own = eval.own_instance(symbol);
    eval.ancestors(&own).iter().any(|base| !matches!(base, Value::Instance { .. }))
}
