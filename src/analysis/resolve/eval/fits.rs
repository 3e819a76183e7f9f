//! Fits of values and types, by which calls choose among methods.

use super::Evaluator;
use crate::facts::ScopeId;
use crate::resolve::value::{ParameterRef, SymbolRef, Value};

/// The fit of a value of unknown type.
const UNKNOWN_FIT: u32 = 1;
/// The fit of the same type.
pub(super) const SAME_FIT: u32 = 4;
/// The fit of a subtype.
pub(super) const SUBTYPE_FIT: u32 = 3;

impl Evaluator<'_> {
    /// Returns how well a value fits a type; `None` if it can't be passed.
    pub fn fit(&mut self, actual: &Value, expected: &Value) -> Option<u32> {
        match (actual, expected) {
            (_, Value::ExternalInstance { name, .. })
                if self.own_rules().takes_only_itself(name) && actual != expected =>
            {
                None
            }
            (Value::Unknown, _) | (_, Value::Unknown | Value::Parameter(_)) => Some(UNKNOWN_FIT),
            (Value::Union(parts), _) => parts.iter().filter_map(|part| self.fit(part, expected)).max(),
            (_, Value::Union(parts)) => parts.iter().filter_map(|part| self.fit(actual, part)).max(),
            (Value::Parameter(parameter), _) => self.fit_of_parameter(*parameter, expected),
            (Value::Instance { symbol, .. }, Value::Instance { symbol: other, .. })
                if self.is_same(*symbol, *other) =>
            {
                Some(SAME_FIT)
            }
            (Value::Instance { .. }, _) => self.fit_of_ancestors(actual, expected),
            (Value::ExternalInstance { .. }, Value::ExternalInstance { .. }) => {
                self.own_rules().external_fit(actual, expected)
            }
            (Value::ExternalInstance { .. }, Value::Instance { .. }) => None,
            // A lambda does not fit a text or a number.
            (Value::Function { .. }, Value::ExternalInstance { .. }) => self.own_rules().external_fit(actual, expected),
            (Value::Function { params, .. }, Value::Function { params: wanted, .. }) => {
                (params.is_empty() || params.len() == wanted.len()).then_some(SUBTYPE_FIT).or(Some(UNKNOWN_FIT))
            }
            (Value::Function { params, .. }, Value::Instance { .. }) => {
                let method = self.own_rules().callable(self, expected);
                let Value::Symbol { symbol, .. } = method else { return None };
                let wanted = self.world.definition(symbol).parameters.len();
                (params.is_empty() || params.len() == wanted).then_some(SUBTYPE_FIT)
            }
            _ => Some(UNKNOWN_FIT),
        }
    }

    /// Returns how well a value whose type is a type parameter fits a type. What is known of it is what its bounds have, or in
    /// languages with a type that all extend what that has.
    fn fit_of_parameter(&mut self, parameter: ParameterRef, expected: &Value) -> Option<u32> {
        let bounds = self.bounds(parameter);
        let known = bounds.iter().find_map(|bound| self.fit(bound, expected));
        let root = self.own_rules().traits().root_type;
        if known.is_some() || root.is_empty() || !matches!(expected, Value::ExternalInstance { .. }) {
            return known.or(Some(UNKNOWN_FIT));
        }
        match self.is_unbounded(parameter) {
            true => self.fit(&Value::external_instance(root, Vec::new()), expected),
            // Nothing is known of a bound that is not found.
            false if bounds.is_empty() => Some(UNKNOWN_FIT),
            false => None,
        }
    }

    /// Returns whether two definitions are one type: what platforms define is what a common declaration expects (Kotlin).
    fn is_same(&self, one: SymbolRef, other: SymbolRef) -> bool {
        let world = self.world;
        let scope = |symbol: SymbolRef| {
            let names = &world.outline(symbol.file).names;
            world.definition(symbol).scope_names.iter().map(move |name| names.get(*name))
        };
        one == other
            || self.rules(one.file).traits().expectation.is_some()
                && world.name(one) == world.name(other)
                && scope(one).eq(scope(other))
                && world.modules.for_scope(one.file, ScopeId(0)) == world.modules.for_scope(other.file, ScopeId(0))
    }

    fn fit_of_ancestors(&mut self, actual: &Value, expected: &Value) -> Option<u32> {
        let ancestors = self.ancestors(actual);
        let mut has_external = false;
        for ancestor in &ancestors[1.min(ancestors.len())..] {
            match (ancestor, expected) {
                (Value::Instance { symbol, .. }, Value::Instance { symbol: other, .. })
                    if self.is_same(*symbol, *other) =>
                {
                    return Some(SUBTYPE_FIT);
                }
                (Value::ExternalInstance { name, .. }, Value::ExternalInstance { name: other, .. })
                    if name == other =>
                {
                    return Some(SUBTYPE_FIT);
                }
                (Value::ExternalInstance { .. }, _) => has_external = true,
                _ => {}
            }
        }
        match expected {
            // The supertypes of external types are unknown.
            Value::ExternalInstance { .. } => {
                let root = Value::external_instance(self.own_rules().traits().root_type, Vec::new());
                (has_external || *expected == root).then_some(UNKNOWN_FIT)
            }
            _ => None,
        }
    }
}
