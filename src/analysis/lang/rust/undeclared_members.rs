//! Members that a type does not declare: of external types, of extension traits, of derived traits.

use std::sync::Arc;

use super::crates::{CrateIndex, RUST};
use super::element_types::{declared_element, deref_target};
use super::extension_methods::{extension_method, traits_of};
use super::library::{has, is_pointer, last_segment};
use super::names;
use crate::resolve::eval::Evaluator;
use crate::resolve::value::Value;

/// Returns a member of an external value, if more is known about it than its dotted name.
pub fn external_member(eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
    if let Value::Tuple(parts) = receiver
        && let Ok(index) = name.parse::<usize>()
    {
        return parts.get(index).cloned();
    }
    if let Value::ExternalInstance { args, .. } = receiver {
        let index = usize::from(matches!(name, "Err" | "Right"));
        if name.starts_with(|c: char| c.is_ascii_uppercase()) {
            // The fields of an external enum's variant are type arguments of the enum.
            return Some(Value::Tuple(args.get(index).cloned().into_iter().collect()));
        }
        if name.parse::<usize>().is_ok() {
            return Some(Value::Unknown);
        }
    }
    if let Some(found) = extension_method(eval, receiver, name) {
        return Some(found);
    }
    if is_pointer(receiver) && name != "clone" {
        return Some(eval.follow(|eval| eval.member_denoted(&receiver.argument(0), name)));
    }
    match receiver {
        // Results of derived and external trait methods depend on the receiver.
        Value::Instance { .. } | Value::Parameter(_) | Value::Tuple(_) => {
            Some(Value::ExternalMethod { receiver: Arc::new(receiver.clone()), name: name.into() })
        }
        _ => None,
    }
}

/// Returns an undeclared member of a repository type: of a trait of the repository for any type, of a trait of other code, or
/// of what the type dereferences to. It is `Unknown` if nothing tells where it comes from, as for what a macro adds.
pub fn undeclared_member(eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
    if let Value::Symbol { symbol, .. } = receiver
        && eval.world.definition(*symbol).kind.is_type()
    {
        return undeclared_type_member(eval, receiver, name);
    }
    if !matches!(receiver, Value::Instance { .. } | Value::Parameter(_)) {
        return None;
    }
    if let Some(found) = extension_method(eval, receiver, name) {
        return Some(found);
    }
    const RECEIVERS: &str = "clone to_owned borrow borrow_mut as_ref as_mut by_ref deref deref_mut into_iter to_string";
    // The projection of a pinned value has fields of the same names.
    let is_projection = || matches!(name, "project" | "project_ref") && uses_projections(eval);
    let preserves_receiver = has(RECEIVERS, name) || is_projection();
    let is_iterator = || has(ITERATOR_METHODS, name);
    if preserves_receiver || (is_iterator() && !declared_element(eval, receiver).is_unknown()) {
        return Some(Value::ExternalMethod { receiver: Arc::new(receiver.clone()), name: name.into() });
    }
    if !is_function_name(name) {
        return only_derives(eval, receiver).then_some(Value::Unknown);
    }
    of_outside_trait(eval, receiver, name)
}

/// Returns whether the repository depends on a crate that adds `project` to types.
fn uses_projections(eval: &Evaluator<'_>) -> bool {
    let crates = eval.world.modules.state::<CrateIndex>(RUST);
    crates.is_some_and(|crates| {
        ["pin_project", "pin_project_lite"].iter().any(|name| crates.dependencies.contains(*name))
    })
}

/// Returns whether a name is not that of a type, a variant or a field of a tuple.
fn is_function_name(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit())
}

/// Returns a member that a value has by a trait of other code that is known to have it. Nothing tells what other such traits of
/// a type have; a type parameter has only what its bounds have.
fn of_outside_trait(eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
    let traits = outside_traits(eval, receiver);
    let member_of = |one: &Value| Value::ExternalMethod { receiver: Arc::new(one.clone()), name: name.into() };
    if let Some(known) = traits.iter().find(|one| has_member(one, name) == Some(true)) {
        return Some(member_of(known));
    }
    if let Some(inner) = deref_target(eval, receiver).filter(|inner| !matches!(inner, Value::Instance { .. })) {
        return Some(eval.follow(|eval| eval.member_denoted(&inner, name)));
    }
    match traits.iter().find(|one| has_member(one, name).is_none()) {
        Some(open) if matches!(receiver, Value::Parameter(_)) => Some(member_of(open)),
        _ => Some(Value::Unknown),
    }
}

/// Returns whether a trait of other code has a member; `None` if its members are not known.
fn has_member(of: &Value, name: &str) -> Option<bool> {
    match of {
        Value::ExternalInstance { name: of, .. } => names::has_member(of, name),
        _ => None,
    }
}

/// Returns the traits of other code that a value is known to implement.
fn outside_traits(eval: &mut Evaluator<'_>, receiver: &Value) -> Vec<Value> {
    let mut traits = traits_of(eval, receiver);
    traits.retain(|value| matches!(value, Value::ExternalInstance { .. }));
    traits
}

/// Returns whether a type implements no external traits except those that are usually derived. Its undeclared members
/// must then come from a macro.
fn only_derives(eval: &mut Evaluator<'_>, receiver: &Value) -> bool {
    const DERIVED: &str = "Clone Copy Debug Default Eq Hash Ord PartialEq PartialOrd Serialize Deserialize";
    let ancestors = eval.ancestors(receiver);
    let mut external = ancestors.iter().filter_map(|value| match value {
        Value::ExternalInstance { name, .. } => Some(last_segment(name)),
        _ => None,
    });
    matches!(receiver, Value::Instance { .. }) && external.all(|name| has(DERIVED, name))
}

/// Returns an undeclared associated item of a repository type: a derived constructor, an item of the external type
/// behind an alias, or a function of a trait.
fn undeclared_type_member(eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
    let instance = eval.instantiate(receiver, Vec::new());
    if let Value::ExternalInstance { name: owner, args } = &instance {
        return Some(Value::External { name: format!("{owner}.{name}").into(), args: args.clone() });
    }
    if let Some(found) = extension_method(eval, &instance, name) {
        return Some(found);
    }
    if matches!(name, "default" | "clone") {
        return Some(Value::Function { params: Arc::new([]), result: Arc::new(instance) });
    }
    if !is_function_name(name) || !matches!(instance, Value::Instance { .. }) {
        return only_derives(eval, &instance).then_some(Value::Unknown);
    }
    match of_outside_trait(eval, &instance, name) {
        // The only trait that is not known has it, most likely.
        Some(Value::Unknown) => {
            let traits = outside_traits(eval, &instance);
            let open = traits.iter().filter(|one| has_member(one, name).is_none());
            if open.count() == 1 { None } else { Some(Value::Unknown) }
        }
        found => found,
    }
}

/// Iterator methods whose results depend on the element type.
const ITERATOR_METHODS: &str = "
    all any by_ref chain collect enumerate filter filter_map find find_map flat_map flatten fold
    for_each inspect iter last map map_while max_by_key min_by_key next nth partition peekable position
    rev skip skip_while step_by take take_while try_fold try_for_each zip
";
