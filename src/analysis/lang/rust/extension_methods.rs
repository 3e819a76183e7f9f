//! Methods that traits of the repository add to types of other code, or to any type: whether a value has one at the place
//! that names it.

use std::collections::HashSet;
use std::sync::Arc;

use super::builtins::POINTER;
use super::crates::RUST;
use super::library::{LIBRARY, TRANSPARENT, has, is_map, is_sequence, is_text, last_segment};
use super::names;
use crate::facts::{Container, ImportName, ScopeId, ScopeKind, name_key};
use crate::model::{FileIndex, SymbolKind};
use crate::resolve::eval::Evaluator;
use crate::resolve::modules::ModuleId;
use crate::resolve::rules::UseSite;
use crate::resolve::value::{ParameterRef, SymbolRef, Value};

/// Traits that almost every type implements.
const UBIQUITOUS_TRAITS: &str = "Sized Send Sync Unpin Any Clone Copy Debug PartialEq Eq";

/// Traits that types have by implementations for all that have another one.
const IMPLIED_TRAITS: &str = "Into TryInto ToString Borrow BorrowMut ToOwned IntoIterator IntoFuture";

/// Methods in the table of the library that other crates add to its types.
const OF_OTHER_CRATES: &str = "
    chain_err collect_vec context into_par_iter par_iter sorted sorted_by sorted_by_key unique with_context
";

/// Whether a value has a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    No,
    Maybe,
    Certain,
}

/// The ways in which a value has a method, the one that takes precedence first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    /// An implementation for its type.
    Named,
    /// An implementation for all types with some bounds.
    Blanket,
    /// The body that the trait has.
    Default,
}

/// Returns a method that a trait of the repository adds to a type, as seen from the place of the call: `Unknown` if that is not
/// certain, `None` if there is none.
pub fn extension_method(eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
    let (mut value, is_path) = match receiver {
        Value::External { name, args } if names::is_type(name) => {
            (Value::ExternalInstance { name: name.clone(), args: args.clone() }, true)
        }
        Value::ExternalInstance { .. } | Value::Instance { .. } | Value::Parameter(_) => (receiver.clone(), false),
        _ => return None,
    };
    let candidates = candidates(eval, name);
    if candidates.is_empty() || is_inherent(&value, name) {
        return None;
    }
    let mut may_be = false;
    loop {
        match of_value(eval, &candidates, &value, (name, is_path)) {
            None => {}
            Some(Value::Unknown) => may_be = true,
            found => return found,
        }
        match dereferenced(&value) {
            Some(inner) if !is_inherent(&inner, name) => value = inner,
            _ => return may_be.then_some(Value::Unknown),
        }
    }
}

/// Returns whether a type of the library has a method of its own, which hides those of traits.
fn is_inherent(value: &Value, name: &str) -> bool {
    LIBRARY.declares(value, name) && !has(OF_OTHER_CRATES, name)
}

/// Returns the methods of a name that traits have, or implementations for other types than those of the repository.
fn candidates(eval: &mut Evaluator<'_>, name: &str) -> Arc<Vec<SymbolRef>> {
    eval.record_lookup(name_key(name));
    eval.memoized(name_key(&format!("extensions {name}")), |eval| {
        let world = eval.world;
        let named = world.named(RUST, name_key(name));
        eval.count(named.len());
        let is_candidate = |symbol: &SymbolRef| match world.definition(*symbol).container {
            Container::Extension(block) => matches!(
                world.extensions().targets.get(&(symbol.file, block.0)),
                Some(Value::ExternalInstance { .. } | Value::Parameter(_))
            ),
            Container::Definition(definition) => {
                world.definition(SymbolRef { file: symbol.file, definition }).kind == SymbolKind::Interface
            }
            Container::Module => false,
        };
        let callable = named.iter().copied().filter(|symbol| world.definition(*symbol).kind.is_callable());
        callable.filter(is_candidate).collect()
    })
}

/// Returns the method that a value of exactly this type has.
fn of_value(
    eval: &mut Evaluator<'_>,
    candidates: &[SymbolRef],
    value: &Value,
    (name, is_path): (&str, bool),
) -> Option<Value> {
    let mut may_be = false;
    let mut certain: Vec<(Way, bool, SymbolRef)> = Vec::new();
    eval.count(candidates.len());
    for symbol in candidates {
        let (fit, way) = fit(eval, *symbol, value, (name, is_path));
        match fit {
            Fit::No => {}
            Fit::Maybe => may_be = true,
            Fit::Certain => certain.push((way, eval.world.definition(*symbol).flags.is_cfg_inactive, *symbol)),
        }
    }
    certain.sort();
    let Some(&(way, is_inactive, _)) = certain.first() else { return may_be.then_some(Value::Unknown) };
    let first = certain.iter().take_while(|(other, inactive, _)| (*other, *inactive) == (way, is_inactive));
    Some(Value::union(first.map(|(.., symbol)| Value::symbol(*symbol))))
}

/// Returns whether a value has a method, and how.
fn fit(eval: &mut Evaluator<'_>, symbol: SymbolRef, value: &Value, (name, is_path): (&str, bool)) -> (Fit, Way) {
    let world = eval.world;
    let definition = world.definition(symbol);
    let (mut most, way, found, owner) = match definition.container {
        Container::Extension(block) => {
            let block = (symbol.file, block.0);
            let extension = world.extension(block);
            let Some(target) = world.extensions().targets.get(&block) else { return (Fit::No, Way::Named) };
            let target_name = world.outline(block.0).names.get(extension.target_name);
            let (way, found) = match target {
                Value::Parameter(parameter) => {
                    (Way::Blanket, guessed(satisfies(eval, value, *parameter, &mut Vec::new()), value, name))
                }
                _ => (Way::Named, same_type(target, value)),
            };
            if found == Fit::No {
                return (Fit::No, way);
            }
            let site = UseSite { file: block.0, scope: extension.scope };
            let implemented = extension.implements.map(|implements| eval.type_of(site, implements));
            // Values of the types that are like their content do not tell whether they are of such a type.
            let is_named = matches!(target, Value::ExternalInstance { name, .. } if last_segment(name) == target_name);
            let is_other = has(TRANSPARENT, target_name) && !is_named;
            let (most, owner) = match implemented {
                None => (Fit::Certain, None),
                Some(Value::Instance { symbol: owner, .. }) => {
                    // Which of the implementations of a generic trait is meant depends on more than the type.
                    let is_open = way == Way::Blanket
                        && definition.flags.is_static
                        && !world.definition(owner).type_parameters.is_empty();
                    (if is_open { Fit::Maybe } else { Fit::Certain }, Some(owner))
                }
                // A type has operators and conversions of its own, and the argument tells which one is meant.
                Some(Value::ExternalInstance { ref args, .. }) if !args.is_empty() && is_path => return (Fit::No, way),
                Some(Value::ExternalInstance { ref args, .. }) if args.is_empty() => (Fit::Certain, None),
                Some(_) => (Fit::Maybe, None),
            };
            (if is_other { Fit::Maybe } else { most }, way, found, owner)
        }
        Container::Definition(owner) => {
            let owner = SymbolRef { file: symbol.file, definition: owner };
            let found = guessed(implemented_for(eval, owner, value, &mut Vec::new()), value, name);
            // What implements a method calls another one of its name.
            let most = if implements_for(eval, value, name) { Fit::Maybe } else { Fit::Certain };
            (most, Way::Default, found, Some(owner))
        }
        Container::Module => return (Fit::No, Way::Default),
    };
    let site = eval.use_site();
    if found == Fit::No || owner.is_some_and(|owner| !sees(eval, site, owner)) {
        return (Fit::No, way);
    }
    // What implements a method calls another one of its name.
    if functions_around(eval, site).contains(&symbol) {
        most = Fit::Maybe;
    }
    (found.min(most), way)
}

/// Returns how certain a method is whose bounds can't be checked for a type of other code: its name decides, unless types
/// often have such a method.
fn guessed(fit: Fit, value: &Value, name: &str) -> Fit {
    let is_told = matches!(value, Value::ExternalInstance { .. }) && !names::is_ubiquitous(name);
    if fit == Fit::Maybe && is_told { Fit::Certain } else { fit }
}

/// Returns the value that methods are called on where a type of the library has none of a name.
fn dereferenced(value: &Value) -> Option<Value> {
    let Value::ExternalInstance { name, args } = value else { return None };
    match last_segment(name) {
        "String" => Some(Value::external_instance("str", Vec::new())),
        "Vec" => Some(Value::ExternalInstance { name: "[]".into(), args: args.clone() }),
        "PathBuf" => Some(Value::external_instance("std.path.Path", Vec::new())),
        "OsString" => Some(Value::external_instance("std.ffi.OsStr", Vec::new())),
        "Cow" => args.first().cloned(),
        _ => None,
    }
}

/// Returns whether a value is of the type of other code that an implementation is for.
fn same_type(target: &Value, value: &Value) -> Fit {
    let Value::ExternalInstance { name: wanted, args: patterns } = target else { return Fit::No };
    if &**wanted == POINTER {
        return Fit::Maybe;
    }
    let Value::ExternalInstance { name, args } = value else { return Fit::No };
    let (wanted, own) = (last_segment(wanted), last_segment(name));
    match wanted == own {
        true if patterns.iter().zip(args.iter()).any(|(pattern, arg)| differ(pattern, arg)) => Fit::No,
        true => Fit::Certain,
        // A number in the source can have any of these types.
        false if names::is_number(wanted) && matches!(own, "i32" | "f64") => Fit::Maybe,
        false => Fit::No,
    }
}

/// Returns whether two arguments of a type are certain to differ.
fn differ(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::ExternalInstance { name: left, args: own }, Value::ExternalInstance { name: right, args }) => {
            let (left, right) = (last_segment(left), last_segment(right));
            let is_like = names::is_number(left) && names::is_number(right) || is_text(one) && is_text(other);
            if left == right { own.iter().zip(args.iter()).any(|(one, other)| differ(one, other)) } else { !is_like }
        }
        (Value::Instance { symbol: one, .. }, Value::Instance { symbol: other, .. }) => one != other,
        (Value::Instance { .. }, Value::ExternalInstance { .. })
        | (Value::ExternalInstance { .. }, Value::Instance { .. }) => true,
        _ => false,
    }
}

/// Returns how well an argument of a type of other code fits a parameter of another one, 0 for one of another type: nothing
/// converts it, but what evaluation knows of texts and numbers is not exact.
pub fn fit_of_argument(actual: &Value, expected: &Value) -> u32 {
    let (Value::ExternalInstance { name: from, .. }, Value::ExternalInstance { name: to, .. }) = (actual, expected)
    else {
        return 1;
    };
    match (from == to, last_segment(from) == last_segment(to)) {
        _ if actual == expected => 4,
        _ if differ(actual, expected) => 0,
        (true, _) => 3,
        (false, true) => 2,
        (false, false) => 1,
    }
}

/// Returns whether a value satisfies the bounds of a type parameter.
fn satisfies(eval: &mut Evaluator<'_>, value: &Value, parameter: ParameterRef, visited: &mut Vec<SymbolRef>) -> Fit {
    let bounds = eval.bounds(parameter);
    bounds.iter().map(|bound| satisfies_bound(eval, value, bound, visited)).min().unwrap_or(Fit::Certain)
}

fn satisfies_bound(eval: &mut Evaluator<'_>, value: &Value, bound: &Value, visited: &mut Vec<SymbolRef>) -> Fit {
    match bound {
        // A type that has a name can't be called.
        Value::Function { .. } => Fit::No,
        Value::Instance { symbol, .. } => {
            let traits = traits_of(eval, value);
            let is_own =
                traits.iter().any(|known| matches!(known, Value::Instance { symbol: own, .. } if own == symbol));
            if is_own { Fit::Certain } else { implemented_for(eval, *symbol, value, visited) }
        }
        Value::ExternalInstance { name, .. } => {
            let wanted = last_segment(name);
            let of_traits = traits_of(eval, value)
                .iter()
                .any(|known| matches!(known, Value::ExternalInstance { name: own, .. } if last_segment(own) == wanted));
            match value {
                _ if of_traits => Fit::Certain,
                Value::ExternalInstance { .. } if has(UBIQUITOUS_TRAITS, wanted) => Fit::Certain,
                Value::ExternalInstance { .. } if !may_implement(value, wanted) => Fit::No,
                _ if matches!(wanted, "Sized" | "Send" | "Sync" | "Unpin" | "Any") => Fit::Certain,
                Value::Instance { .. } if !has(IMPLIED_TRAITS, wanted) => Fit::No,
                _ => Fit::Maybe,
            }
        }
        _ => Fit::Maybe,
    }
}

/// Returns the traits that a value is known to implement, with what they extend; of a trait of other code itself.
pub fn traits_of(eval: &mut Evaluator<'_>, value: &Value) -> Vec<Value> {
    match value {
        Value::Parameter(parameter) => {
            let bounds = eval.bounds(*parameter);
            bounds.iter().flat_map(|bound| eval.ancestors(bound).to_vec()).collect()
        }
        _ => eval.ancestors(value).to_vec(),
    }
}

/// Returns false if values of a family are known not to implement a trait of other code.
fn may_implement(value: &Value, external_trait: &str) -> bool {
    let is_wrapper = matches!(LIBRARY.type_of(value), Some("std.option.Option" | "std.result.Result"));
    match external_trait {
        "Iterator" | "DoubleEndedIterator" | "ExactSizeIterator" => is_sequence(value),
        "IntoIterator" => is_sequence(value) || is_map(value) || is_wrapper,
        // Maps, locks and cells have a `clone` of their own.
        _ => !is_wrapper && !LIBRARY.has_method(value, "clone"),
    }
}

/// Returns whether a trait is implemented for a type, by its name or with all types that have some bounds: its default methods
/// are then members of the type. `visited` has the traits that are being checked.
fn implemented_for(eval: &mut Evaluator<'_>, owner: SymbolRef, value: &Value, visited: &mut Vec<SymbolRef>) -> Fit {
    let world = eval.world;
    let implemented = name_key(world.name(owner));
    eval.record_lookup(implemented);
    if let Value::ExternalInstance { name, .. } = value
        && world.external_impls().named.contains(&(name_key(last_segment(name)), implemented))
    {
        return Fit::Certain;
    }
    // `impl<S: Sink> Sink for &mut S` requires itself.
    if visited.contains(&owner) {
        return Fit::No;
    }
    visited.push(owner);
    let blanket = world.external_impls().blanket.get(&implemented).map_or(&[][..], Vec::as_slice);
    let plain = blanket.iter().filter(|parameter| !is_for_wrapper(eval, **parameter));
    let plain: Vec<ParameterRef> = plain.copied().collect();
    plain.into_iter().map(|parameter| satisfies(eval, value, parameter, visited)).max().unwrap_or(Fit::No)
}

/// Returns whether the implementation that has a type parameter is for a type around it that is like its content.
fn is_for_wrapper(eval: &Evaluator<'_>, parameter: ParameterRef) -> bool {
    let outline = eval.world.outline(parameter.file);
    let extension = outline.extensions.get(parameter.owner as usize).filter(|_| parameter.extension);
    extension.is_some_and(|extension| has(TRANSPARENT, outline.names.get(extension.target_name)))
}

/// Returns the functions around a place, innermost first.
fn functions_around(eval: &Evaluator<'_>, site: UseSite) -> Vec<SymbolRef> {
    let scopes = &eval.world.code(site.file).scopes;
    let around = std::iter::successors(scopes.get(site.scope.0 as usize), |scope| {
        scope.parent.and_then(|parent| scopes.get(parent.0 as usize))
    });
    let symbols = around.filter_map(|scope| Some(SymbolRef { file: site.file, definition: scope.definition? }));
    symbols.filter(|symbol| eval.world.definition(*symbol).kind.is_callable()).collect()
}

/// Returns whether the place that names a method is in one of its name, which is implemented for the type of the value.
fn implements_for(eval: &Evaluator<'_>, value: &Value, name: &str) -> bool {
    let world = eval.world;
    functions_around(eval, eval.use_site()).into_iter().any(|function| {
        let Container::Extension(block) = world.definition(function).container else { return false };
        let target = world.extensions().targets.get(&(function.file, block.0));
        world.name(function) == name && target.is_some_and(|target| same_type(target, value) != Fit::No)
    })
}

/// Returns whether a trait is in scope at a place, so that its methods can be called there.
fn sees(eval: &mut Evaluator<'_>, site: UseSite, owner: SymbolRef) -> bool {
    let (file, definition) = (owner.file.index(), owner.definition.index());
    let key = name_key(&format!("sees {} {} {file} {definition}", site.file.index(), site.scope.0));
    *eval.memoized(key, |eval| is_in_scope(eval, site, owner))
}

fn is_in_scope(eval: &mut Evaluator<'_>, site: UseSite, owner: SymbolRef) -> bool {
    let world = eval.world;
    let home = UseSite { file: owner.file, scope: world.definition(owner).scope };
    if owner.file == site.file && eval.module_at(home) == eval.module_at(site) {
        return true;
    }
    let scopes = &world.code(site.file).scopes;
    let mut at = Some(site.scope);
    while let Some((id, scope)) = at.and_then(|id| Some((id, scopes.get(id.0 as usize)?))) {
        let is_named = imported_traits(eval, site.file).contains(&(id, owner, false));
        if is_named || is_in_globs(eval, (site, id), owner) {
            return true;
        }
        at = scope.parent.filter(|_| scope.kind != ScopeKind::Module);
    }
    false
}

/// Returns the traits that a file imports by their names, with the scopes of the imports; once more those that it reexports.
fn imported_traits(eval: &mut Evaluator<'_>, file: FileIndex) -> Arc<HashSet<(ScopeId, SymbolRef, bool)>> {
    eval.memoized(name_key(&format!("traits of {}", file.index())), |eval| {
        let mut traits = HashSet::new();
        for (number, import) in (0_u32..).zip(&eval.world.outline(file).imports) {
            if matches!(import.name, ImportName::Named(_))
                && let Value::Symbol { symbol, .. } = eval.import_target(file, number)
                && eval.world.definition(symbol).kind == SymbolKind::Interface
            {
                traits.insert((import.scope, symbol, false));
                if import.reexport {
                    traits.insert((import.scope, symbol, true));
                }
            }
        }
        traits
    })
}

/// Returns whether a glob import of a scope brings a trait into it, also without a name (`pub use Trait as _`).
fn is_in_globs(eval: &mut Evaluator<'_>, (site, scope): (UseSite, ScopeId), owner: SymbolRef) -> bool {
    let world = eval.world;
    let key = name_key(world.name(owner));
    if let Some(found) = eval.lookup_globs(site.file, scope, key)
        && matches!(eval.denoted(found), Value::Symbol { symbol, .. } if symbol == owner)
    {
        return true;
    }
    for &number in world.globs.of_scope(site.file, scope, false).all() {
        eval.count(1);
        match eval.import_target(site.file, number) {
            Value::Module(module) => {
                let is_private = is_around(eval, site, module);
                for (file, scope) in &world.modules.get(module).parts {
                    if imported_traits(eval, *file).contains(&(*scope, owner, !is_private)) {
                        return true;
                    }
                }
            }
            // Nothing tells what it brings.
            Value::Unknown if world.outline(site.file).imports[number as usize].level == 0 => return true,
            _ => {}
        }
    }
    false
}

/// Returns whether a module is one of those around a place, whose private imports it sees.
fn is_around(eval: &Evaluator<'_>, site: UseSite, module: ModuleId) -> bool {
    let own = eval.module_at(site);
    std::iter::successors(own, |own| eval.world.modules.get(*own).parent).any(|own| own == module)
}
