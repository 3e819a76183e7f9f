//! Features of the role that a candidate has in its package: what it offers to others, against what serves within.
//! They need no word of the task: questions are mostly about what a package offers.

use super::{Feature, FeatureContext, feature};
use crate::lang::language_of;
use crate::model::{NodeId, SymbolKind};
use crate::store::{ScopedName, SearchColumn};

/// Terms of a comment at which `documented` is 1.
const LONG_COMMENT: f64 = 100.0;
/// Value of `public` for what states neither.
const NOT_STATED: f64 = 0.5;
/// Modifiers by which a definition can be used elsewhere, and those by which it can't. `pub(crate)` is one of the latter.
const PUBLIC: [&str; 4] = ["pub", "public", "export", "open"];
const PRIVATE: [&str; 6] = ["private", "protected", "internal", "fileprivate", "pub(crate)", "pub(super)"];

/// Names of the features, in the order of their computation.
pub(super) const NAMES: [&str; 3] = ["documented", "public", "interface"];

/// Computes the features of the candidates.
pub(super) fn features(context: &FeatureContext<'_>, candidates: &[NodeId]) -> Vec<Feature> {
    let graph = context.graph;
    let comment = |node: NodeId| graph.lengths().get(node)[SearchColumn::Doc as usize];
    vec![
        feature("documented", candidates, |node| (f64::from(comment(node)).ln_1p() / LONG_COMMENT.ln_1p()).min(1.0)),
        feature("public", candidates, |node| {
            let path = graph.path(node).unwrap_or_default();
            context.names.get(&node).map_or(NOT_STATED, |name| public(path, name, graph.container(node).is_some()))
        }),
        feature("interface", candidates, |node| {
            f64::from(u8::from(graph.meta(node).is_some_and(|meta| meta.kind == SymbolKind::Interface)))
        }),
    ]
}

/// Returns 1 for a definition that its modifiers, its name or the names around it make public, 0 for one that they make
/// private, and [`NOT_STATED`] for others.
fn public(path: &str, name: &ScopedName, is_member: bool) -> f64 {
    let names: Vec<&str> = name.scope.split('.').chain([name.name.as_str()]).filter(|part| !part.is_empty()).collect();
    let modifiers: Vec<&str> = name.modifiers.split_whitespace().collect();
    let is_hidden = |part: &&str| part.starts_with('#') || (part.starts_with('_') && !part.starts_with("__"));
    let has = |known: &[&str]| modifiers.iter().any(|word| known.contains(word));
    // It is in a function. What a namespace holds counts alike, all of it.
    let is_local = !name.scope.is_empty() && !is_member;
    if is_local || names.iter().any(is_hidden) || has(&PRIVATE) {
        return 0.0;
    }
    if has(&PUBLIC) {
        return 1.0;
    }
    let stated = language_of(path).and_then(|language| language.rules.is_public(&modifiers, &names, is_member));
    stated.map_or(NOT_STATED, |is_public| f64::from(u8::from(is_public)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(scope: &str, name: &str, modifiers: &str) -> ScopedName {
        ScopedName {
            scope: scope.to_owned(),
            name: name.to_owned(),
            modifiers: modifiers.to_owned(),
            ..ScopedName::default()
        }
    }

    #[test]
    fn modifiers_and_names_tell_what_is_public() {
        for (path, scope, short, modifiers, is_member, expected) in [
            ("cart.rs", "", "Cart", "pub struct Cart", false, 1.0),
            ("cart.rs", "", "Cart", "pub(crate) struct Cart", false, 0.0),
            ("cart.rs", "", "merge", "fn merge()", false, 0.0),
            ("cart.rs", "Cart", "next", "fn next(&mut self)", true, 0.5),
            ("cart.go", "Cart", "Total", "func (c *Cart) Total() int", true, 1.0),
            ("cart.go", "cart", "Total", "func (c *cart) Total() int", true, 0.0),
            ("cart.py", "Cart", "__len__", "def __len__(self)", true, 1.0),
            ("cart.py", "_Cart", "total", "def total(self)", true, 0.0),
            ("cart.py", "total", "inner", "def inner()", false, 0.0),
            ("Cart.java", "Cart", "total", "private int total()", true, 0.0),
            ("cart.ts", "", "total", "function total()", false, 0.5),
            ("cart.c", "", "total", "static int total(void)", false, 0.0),
        ] {
            assert_eq!(public(path, &name(scope, short, modifiers), is_member), expected, "{path} {modifiers}");
        }
    }
}
