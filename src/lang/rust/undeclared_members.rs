//! Members that no definition of a type declares: of the library, of traits that extend foreign types, derived ones.

use std::sync::Arc;

use super::stdlib::element_types::declared_element;
use super::stdlib::last_segment;
use super::stdlib::types::{StdType, std_type};
use crate::facts::{Container, name_key};
use crate::resolve::eval::Evaluator;
use crate::resolve::value::{ParameterRef, SymbolRef, Value};

/// A member that is more than a dotted name.
pub fn external_member(eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
    if let Value::Tuple(parts) = receiver
        && let Ok(index) = name.parse::<usize>()
    {
        return parts.get(index).cloned();
    }
    if let Value::ForeignInstance { args, .. } = receiver {
        let index = usize::from(matches!(name, "Err" | "Right"));
        if name.starts_with(|c: char| c.is_ascii_uppercase()) {
            // The fields of a foreign enum's variant: one of its type arguments.
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
        // What the type's derived and foreign traits give: the receiver must not be forgotten.
        Value::Instance { .. } | Value::Parameter(_) | Value::Tuple(_) => {
            Some(Value::ForeignMethod { receiver: Arc::new(receiver.clone()), name: name.into() })
        }
        _ => None,
    }
}

/// What the repository's own types have without declaring it, where the receiver must not be forgotten: copies of
/// themselves, and for iterators the library's adapters.
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
    let preserves_receiver = matches!(
        name,
        "clone"
            | "to_owned"
            | "borrow"
            | "borrow_mut"
            | "as_ref"
            | "as_mut"
            | "by_ref"
            | "deref"
            | "deref_mut"
            | "into_iter"
    );
    let is_iterator = || ITERATOR_METHODS.split_whitespace().any(|known| known == name);
    if preserves_receiver || (is_iterator() && !declared_element(eval, receiver).is_unknown()) {
        return Some(Value::ForeignMethod { receiver: Arc::new(receiver.clone()), name: name.into() });
    }
    only_derives(eval, receiver).then_some(Value::Unknown)
}

/// True when nothing outside the repository but traits that are usually derived can give a type members: one that is
/// not declared then comes from a macro, and not from them.
fn only_derives(eval: &mut Evaluator<'_>, receiver: &Value) -> bool {
    const DERIVED: &str = "Clone Copy Debug Default Eq Hash Ord PartialEq PartialOrd Serialize Deserialize";
    let ancestors = eval.ancestors(receiver);
    let mut external = ancestors.iter().filter_map(|value| match value {
        Value::ForeignInstance { name, .. } => Some(last_segment(name)),
        _ => None,
    });
    matches!(receiver, Value::Instance { .. }) && external.all(|name| DERIVED.split(' ').any(|known| known == name))
}

/// What a type of the repository has without declaring it: derived constructors, and through an alias whatever the
/// foreign type behind it has.
fn undeclared_type_member(eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
    let instance = eval.instantiate(receiver, Vec::new());
    match (&instance, name) {
        (Value::ForeignInstance { name: owner, args }, _) => {
            Some(Value::Foreign { name: format!("{owner}.{name}").into(), args: args.clone() })
        }
        (_, "default" | "clone") => Some(Value::Function { params: Arc::new([]), result: Arc::new(instance) }),
        _ => only_derives(eval, &instance).then_some(Value::Unknown),
    }
}

/// Methods of iterators that hand elements on.
const ITERATOR_METHODS: &str = "
    all any by_ref chain collect enumerate filter filter_map find find_map flat_map flatten fold
    for_each inspect iter last map map_while max_by_key min_by_key next nth partition peekable position
    rev skip skip_while step_by take take_while try_fold try_for_each zip
";

/// A method that a trait of the repository adds to a foreign type, or to every type that its bounds allow.
fn extension_method(eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
    if !matches!(receiver, Value::ForeignInstance { .. } | Value::Instance { .. }) {
        return None;
    }
    let world = eval.world;
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
                let owner = SymbolRef { file: symbol.file, definition: owner.0 };
                if trait_method.is_none() && is_implemented_for(eval, owner, receiver, &mut Vec::new()) {
                    trait_method = Some(*symbol);
                }
            }
            Container::Module => {}
        }
    }
    trait_method.map(Value::symbol)
}

/// True when a value may stand for a type parameter: it has every trait that bounds it, as far as that can be told.
fn satisfies(eval: &mut Evaluator<'_>, value: &Value, parameter: ParameterRef, visited: &mut Vec<SymbolRef>) -> bool {
    let bounds = eval.bounds(parameter);
    bounds.iter().all(|bound| match (bound, value) {
        (Value::Instance { symbol, .. }, Value::Instance { .. }) => {
            let ancestors = eval.ancestors(value);
            ancestors.iter().any(|known| matches!(known, Value::Instance { symbol: own, .. } if own == symbol))
        }
        (Value::Instance { symbol, .. }, _) => is_implemented_for(eval, *symbol, value, visited),
        (Value::ForeignInstance { name, .. }, _) if UBIQUITOUS_TRAITS.split(' ').any(|known| known == last_segment(name)) => true,
        (Value::ForeignInstance { name, .. }, Value::Instance { .. }) => {
            let ancestors = eval.ancestors(value);
            let is_named =
                |known: &Value| matches!(known, Value::ForeignInstance { name: own, .. } if last_segment(own) == last_segment(name));
            ancestors.iter().any(is_named)
        }
        (Value::ForeignInstance { name, .. }, _) => may_implement(std_type(value), last_segment(name)),
        _ => true,
    })
}

/// Traits that hardly any type lacks.
const UBIQUITOUS_TRAITS: &str = "Sized Send Sync Unpin Any Clone Copy Debug PartialEq Eq";

/// False for a foreign trait that values of a family are known not to have.
fn may_implement(std_type: StdType, external_trait: &str) -> bool {
    match external_trait {
        "Iterator" | "DoubleEndedIterator" | "ExactSizeIterator" => std_type == StdType::Sequence,
        "IntoIterator" => matches!(std_type, StdType::Sequence | StdType::Map | StdType::Option | StdType::Result),
        _ => matches!(std_type, StdType::Other | StdType::Sequence),
    }
}

/// True when two values are of the same foreign type.
fn is_same_external_type(target: &Value, receiver: &Value) -> bool {
    match (target, receiver) {
        (
            Value::ForeignInstance { name: left, .. },
            Value::ForeignInstance { name: right, .. } | Value::Foreign { name: right, .. },
        ) => last_segment(left) == last_segment(right),
        _ => false,
    }
}

/// True when a block implements a trait for this foreign type, by its name or with whatever has certain traits. The
/// trait's default methods are then its own. `visited` are the traits that this is a condition for.
fn is_implemented_for(
    eval: &mut Evaluator<'_>,
    owner: SymbolRef,
    receiver: &Value,
    visited: &mut Vec<SymbolRef>,
) -> bool {
    let world = eval.world;
    let Value::ForeignInstance { name, .. } = receiver else { return false };
    let implemented = name_key(world.name(owner));
    if world.abroad().named.contains(&(name_key(last_segment(name)), implemented)) {
        return true;
    }
    // `impl<S: Sink> Sink for &mut S` asks for what it gives.
    if visited.contains(&owner) {
        return false;
    }
    visited.push(owner);
    let blanket = world.abroad().blanket.get(&implemented).map_or(&[][..], Vec::as_slice);
    blanket.iter().any(|parameter| satisfies(eval, receiver, *parameter, visited))
}
