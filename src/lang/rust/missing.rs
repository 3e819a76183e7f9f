//! Members that no definition of a type declares: of the library, of traits that extend foreign types, derived ones.

use std::sync::Arc;

use super::contents::own_element;
use super::family::{Family, family};
use super::library::short;
use crate::facts::{Container, name_key};
use crate::resolve::eval::Evaluator;
use crate::resolve::value::{ParameterRef, SymbolRef, Value};

/// A member that is more than a dotted name.
pub fn member(eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
    if let Value::Tuple(parts) = receiver
        && let Ok(place) = name.parse::<usize>()
    {
        return parts.get(place).cloned();
    }
    if let Value::ExternalInstance { args, .. } = receiver {
        let place = usize::from(matches!(name, "Err" | "Right"));
        if name.starts_with(|c: char| c.is_ascii_uppercase()) {
            // The fields of a foreign enum's variant: one of its type arguments.
            return Some(Value::Tuple(args.get(place).cloned().into_iter().collect()));
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
            Some(Value::ExternalMethod { receiver: Arc::new(receiver.clone()), name: name.into() })
        }
        _ => None,
    }
}

/// What the repository's own types have without declaring it, where the receiver must not be forgotten: copies of
/// themselves, and for iterators the library's adapters.
pub fn missing(eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
    if let Value::Symbol { symbol, .. } = receiver
        && eval.world.definition(*symbol).kind.is_type()
    {
        return missing_of_type(eval, receiver, name);
    }
    if !matches!(receiver, Value::Instance { .. } | Value::Parameter(_)) {
        return None;
    }
    if let Some(found) = extension_method(eval, receiver, name) {
        return Some(found);
    }
    let keeps = matches!(
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
    if keeps || (is_iterator() && !own_element(eval, receiver).is_unknown()) {
        return Some(Value::ExternalMethod { receiver: Arc::new(receiver.clone()), name: name.into() });
    }
    only_derives(eval, receiver).then_some(Value::Unknown)
}

/// True when nothing outside the repository but traits that are usually derived can give a type members: one that is
/// not declared then comes from a macro, and not from them.
fn only_derives(eval: &mut Evaluator<'_>, receiver: &Value) -> bool {
    const DERIVED: &str = "Clone Copy Debug Default Eq Hash Ord PartialEq PartialOrd Serialize Deserialize";
    let ancestors = eval.ancestors(receiver);
    let mut foreign = ancestors.iter().filter_map(|value| match value {
        Value::ExternalInstance { name, .. } => Some(short(name)),
        _ => None,
    });
    matches!(receiver, Value::Instance { .. }) && foreign.all(|name| DERIVED.split(' ').any(|known| known == name))
}

/// What a type of the repository has without declaring it: derived constructors, and through an alias whatever the
/// foreign type behind it has.
fn missing_of_type(eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
    let made = eval.instantiate(receiver, Vec::new());
    match (&made, name) {
        (Value::ExternalInstance { name: owner, args }, _) => {
            Some(Value::External { name: format!("{owner}.{name}").into(), args: args.clone() })
        }
        (_, "default" | "clone") => Some(Value::Function { params: Arc::new([]), result: Arc::new(made) }),
        _ => only_derives(eval, &made).then_some(Value::Unknown),
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
    if !matches!(receiver, Value::ExternalInstance { .. } | Value::Instance { .. }) {
        return None;
    }
    let world = eval.world;
    let mut of_trait = None;
    for symbol in world.named(super::crates::RUST, name_key(name)) {
        let definition = world.definition(*symbol);
        if !definition.kind.is_callable() || definition.flags.is_static {
            continue;
        }
        match definition.container {
            Container::Extension(block) => {
                let target = world.extensions().targets.get(&(symbol.file, block.0));
                if target.is_some_and(|target| same_foreign(target, receiver)) {
                    return Some(Value::symbol(*symbol));
                }
                if let Some(Value::Parameter(parameter)) = target
                    && of_trait.is_none()
                    && satisfies(eval, receiver, *parameter, &mut Vec::new())
                {
                    of_trait = Some(*symbol);
                }
            }
            Container::Definition(owner) => {
                let owner = SymbolRef { file: symbol.file, definition: owner.0 };
                if of_trait.is_none() && implemented_for(eval, owner, receiver, &mut Vec::new()) {
                    of_trait = Some(*symbol);
                }
            }
            Container::Module => {}
        }
    }
    of_trait.map(Value::symbol)
}

/// True when a value may stand for a type parameter: it has every trait that bounds it, as far as that can be told.
fn satisfies(eval: &mut Evaluator<'_>, value: &Value, parameter: ParameterRef, asked: &mut Vec<SymbolRef>) -> bool {
    let bounds = eval.bounds(parameter);
    bounds.iter().all(|bound| match (bound, value) {
        (Value::Instance { symbol, .. }, Value::Instance { .. }) => {
            let ancestors = eval.ancestors(value);
            ancestors.iter().any(|known| matches!(known, Value::Instance { symbol: own, .. } if own == symbol))
        }
        (Value::Instance { symbol, .. }, _) => implemented_for(eval, *symbol, value, asked),
        (Value::ExternalInstance { name, .. }, _) if EVERYBODYS.split(' ').any(|known| known == short(name)) => true,
        (Value::ExternalInstance { name, .. }, Value::Instance { .. }) => {
            let ancestors = eval.ancestors(value);
            let is_named =
                |known: &Value| matches!(known, Value::ExternalInstance { name: own, .. } if short(own) == short(name));
            ancestors.iter().any(is_named)
        }
        (Value::ExternalInstance { name, .. }, _) => may_have(family(value), short(name)),
        _ => true,
    })
}

/// Traits that hardly any type lacks.
const EVERYBODYS: &str = "Sized Send Sync Unpin Any Clone Copy Debug PartialEq Eq";

/// False for a foreign trait that values of a family are known not to have.
fn may_have(family: Family, foreign_trait: &str) -> bool {
    match foreign_trait {
        "Iterator" | "DoubleEndedIterator" | "ExactSizeIterator" => family == Family::Sequence,
        "IntoIterator" => matches!(family, Family::Sequence | Family::Map | Family::Option | Family::Result),
        _ => matches!(family, Family::Other | Family::Sequence),
    }
}

/// True when two values are of the same foreign type.
fn same_foreign(target: &Value, receiver: &Value) -> bool {
    match (target, receiver) {
        (
            Value::ExternalInstance { name: left, .. },
            Value::ExternalInstance { name: right, .. } | Value::External { name: right, .. },
        ) => short(left) == short(right),
        _ => false,
    }
}

/// True when a block implements a trait for this foreign type, by its name or with whatever has certain traits. The
/// trait's default methods are then its own. `asked` are the traits that this is a condition for.
fn implemented_for(eval: &mut Evaluator<'_>, owner: SymbolRef, receiver: &Value, asked: &mut Vec<SymbolRef>) -> bool {
    let world = eval.world;
    let Value::ExternalInstance { name, .. } = receiver else { return false };
    let implemented = name_key(world.name(owner));
    if world.external_impls().named.contains(&(name_key(short(name)), implemented)) {
        return true;
    }
    // `impl<S: Sink> Sink for &mut S` asks for what it gives.
    if asked.contains(&owner) {
        return false;
    }
    asked.push(owner);
    let blanket = world.external_impls().blanket.get(&implemented).map_or(&[][..], Vec::as_slice);
    blanket.iter().any(|parameter| satisfies(eval, receiver, *parameter, asked))
}
