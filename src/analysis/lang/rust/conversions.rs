//! Conversions that a call of `into` runs: which one depends on the type that is expected, so each is a guess.

use super::crates::RUST;
use crate::facts::{Container, name_key};
use crate::resolve::eval::Evaluator;
use crate::resolve::rules::{UnknownCall, UseSite};
use crate::resolve::value::{SymbolRef, Value};

/// The methods that a conversion of a value runs, and the traits and methods that a type implements for them.
const CONVERSIONS: &[(&str, &str, &str)] = &[("into", "From", "from"), ("try_into", "TryFrom", "try_from")];

/// Maximum number of types into which a value of a type is converted.
const MAX_TARGETS: usize = 4;

/// Maximum number of conversions of a repository that are compared with a value.
const MAX_CONVERSIONS: usize = 512;

/// Returns the conversions from a value's type, one of the repository, that a call can run.
pub fn suggested(eval: &mut Evaluator<'_>, call: &UnknownCall<'_>) -> Vec<SymbolRef> {
    let world = eval.world;
    let name = world.outline(call.site.file).names.get(call.name).trim_end_matches("()");
    let Some((_, implemented, method)) = CONVERSIONS.iter().find(|(called, ..)| *called == name) else {
        return Vec::new();
    };
    let Some(Value::Instance { symbol: wanted, .. }) = call.receiver else { return Vec::new() };
    eval.record_lookup(name_key(method));
    let named = world.named(RUST, name_key(method));
    if named.len() > MAX_CONVERSIONS {
        return Vec::new();
    }
    eval.count(named.len());
    let mut found = Vec::new();
    for symbol in named.iter().copied() {
        let definition = world.definition(symbol);
        let Container::Extension(block) = definition.container else { continue };
        let is_conversion = world.extension((symbol.file, block.0)).implements.is_some_and(|expr| {
            let name = world.last_name(symbol.file, expr);
            name.is_some_and(|name| world.outline(symbol.file).names.get(name) == *implemented)
        });
        let site = UseSite { file: symbol.file, scope: definition.scope };
        let first = definition.parameters.first().and_then(|first| first.value_type);
        if let (true, Some(first)) = (is_conversion, first)
            && matches!(eval.type_of(site, first), Value::Instance { symbol, .. } if symbol == wanted)
        {
            found.push(symbol);
        }
    }
    if found.len() > MAX_TARGETS { Vec::new() } else { found }
}
