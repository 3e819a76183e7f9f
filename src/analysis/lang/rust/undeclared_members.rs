//! Members that a type does not declare: of external types, of extension traits, of derived traits.

use std::sync::Arc;

use super::element_types::declared_element;
use super::library::{LIBRARY, has, is_map, is_sequence, last_segment};
use crate::facts::{Container, name_key};
use crate::resolve::eval::Evaluator;
use crate::resolve::value::{ParameterRef, SymbolRef, Value};

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
    match receiver {
        // Results of derived and external trait methods depend on the receiver.
        Value::Instance { .. } | Value::Parameter(_) | Value::Tuple(_) => {
            Some(Value::ExternalMethod { receiver: Arc::new(receiver.clone()), name: name.into() })
        }
        _ => None,
    }
}

/// Returns an undeclared member of a repository type whose result depends on the receiver: `clone` and its like, and
/// iterator adapters.
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
    const RECEIVERS: &str = "clone to_owned borrow borrow_mut as_ref as_mut by_ref deref deref_mut into_iter";
    let preserves_receiver = has(RECEIVERS, name);
    let is_iterator = || has(ITERATOR_METHODS, name);
    if preserves_receiver || (is_iterator() && !declared_element(eval, receiver).is_unknown()) {
        return Some(Value::ExternalMethod { receiver: Arc::new(receiver.clone()), name: name.into() });
    }
    only_derives(eval, receiver).then_some(Value::Unknown)
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

/// Returns an undeclared associated item of a repository type: a derived constructor, or an item of the external type
/// behind an alias.
fn undeclared_type_member(eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
    let instance = eval.instantiate(receiver, Vec::new());
    match (&instance, name) {
        (Value::ExternalInstance { name: owner, args }, _) => {
            Some(Value::External { name: format!("{owner}.{name}").into(), args: args.clone() })
        }
        (_, "default" | "clone") => Some(Value::Function { params: Arc::new([]), result: Arc::new(instance) }),
        _ => only_derives(eval, &instance).then_some(Value::Unknown),
    }
}

/// Iterator methods whose results depend on the element type.
const ITERATOR_METHODS: &str = "
    all any by_ref chain collect enumerate filter filter_map find find_map flat_map flatten fold
    for_each inspect iter last map map_while max_by_key min_by_key next nth partition peekable position
    rev skip skip_while step_by take take_while try_fold try_for_each zip
";

/// Returns a method that a trait of the repository adds to an external type, by name or by a blanket implementation.
fn extension_method(eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
    if !matches!(receiver, Value::ExternalInstance { .. } | Value::Instance { .. }) {
        return None;
    }
    let world = eval.world;
    eval.record_lookup(name_key(name));
    let mut trait_method = None;
    for symbol in world.named(super::crates::RUST, name_key(name)) {
        let definition = world.definition(*symbol);
        if !definition.kind.is_callable() || definition.flags.is_static {
            continue;
        }
        match definition.container {
            Container::Extension(block) => {
                let target = world.extensions().targets.get(&(symbol.file, block.0));
                if target.is_some_and(|target| is_same_external_type(target, receiver)) {
                    return Some(Value::symbol(*symbol));
                }
                if let Some(Value::Parameter(parameter)) = target
                    && trait_method.is_none()
                    && satisfies(eval, receiver, *parameter, &mut Vec::new())
                {
                    trait_method = Some(*symbol);
                }
            }
            Container::Definition(owner) => {
                let owner = SymbolRef { file: symbol.file, definition: owner };
                if trait_method.is_none() && is_implemented_for(eval, owner, receiver, &mut Vec::new()) {
                    trait_method = Some(*symbol);
                }
            }
            Container::Module => {}
        }
    }
    trait_method.map(Value::symbol)
}

/// Returns whether a value satisfies the bounds of a type parameter. Bounds that cannot be checked count as satisfied.
fn satisfies(eval: &mut Evaluator<'_>, value: &Value, parameter: ParameterRef, visited: &mut Vec<SymbolRef>) -> bool {
    let bounds = eval.bounds(parameter);
    bounds.iter().all(|bound| match (bound, value) {
        (Value::Instance { symbol, .. }, Value::Instance { .. }) => {
            let ancestors = eval.ancestors(value);
            ancestors.iter().any(|known| matches!(known, Value::Instance { symbol: own, .. } if own == symbol))
        }
        (Value::Instance { symbol, .. }, _) => is_implemented_for(eval, *symbol, value, visited),
        (Value::ExternalInstance { name, .. }, _) if is_ubiquitous_trait(last_segment(name)) => true,
        (Value::ExternalInstance { name, .. }, Value::Instance { .. }) => {
            let ancestors = eval.ancestors(value);
            ancestors.iter().any(|ancestor| match ancestor {
                Value::ExternalInstance { name: own, .. } => last_segment(own) == last_segment(name),
                _ => false,
            })
        }
        (Value::ExternalInstance { name, .. }, _) => may_implement(value, last_segment(name)),
        _ => true,
    })
}

/// Returns whether almost every type implements a trait.
fn is_ubiquitous_trait(name: &str) -> bool {
    matches!(name, "Sized" | "Send" | "Sync" | "Unpin" | "Any" | "Clone" | "Copy" | "Debug" | "PartialEq" | "Eq")
}

/// Returns false if values of a family are known not to implement an external trait.
fn may_implement(value: &Value, external_trait: &str) -> bool {
    let is_wrapper = matches!(LIBRARY.type_of(value), Some("std.option.Option" | "std.result.Result"));
    match external_trait {
        "Iterator" | "DoubleEndedIterator" | "ExactSizeIterator" => is_sequence(value),
        "IntoIterator" => is_sequence(value) || is_map(value) || is_wrapper,
        // Maps, locks and cells have a `clone` of their own.
        _ => !is_wrapper && !LIBRARY.has_method(value, "clone"),
    }
}

/// Returns whether two values have the same external type.
fn is_same_external_type(target: &Value, receiver: &Value) -> bool {
    match (target, receiver) {
        (
            Value::ExternalInstance { name: left, .. },
            Value::ExternalInstance { name: right, .. } | Value::External { name: right, .. },
        ) => last_segment(left) == last_segment(right),
        _ => false,
    }
}

/// Returns whether a trait is implemented for an external type, by name or by a blanket implementation. Its default
/// methods are then members of the type. `visited` has the traits that are being checked.
fn is_implemented_for(
    eval: &mut Evaluator<'_>,
    owner: SymbolRef,
    receiver: &Value,
    visited: &mut Vec<SymbolRef>,
) -> bool {
    let world = eval.world;
    let Value::ExternalInstance { name, .. } = receiver else { return false };
    let implemented = name_key(world.name(owner));
    if world.external_impls().named.contains(&(name_key(last_segment(name)), implemented)) {
        return true;
    }
    // `impl<S: Sink> Sink for &mut S` requires itself.
    if visited.contains(&owner) {
        return false;
    }
    visited.push(owner);
    let blanket = world.external_impls().blanket.get(&implemented).map_or(&[][..], Vec::as_slice);
    blanket.iter().any(|parameter| satisfies(eval, receiver, *parameter, visited))
}
