//! Features of a symbol's kind, size and folder, which are independent of the query.

use super::neighbors::uses;
use super::{Feature, FeatureContext, feature};
use crate::model::{NodeId, SymbolKind};
use crate::text::parent_dir;

/// Folders of examples, benchmarks and documentation.
const EXAMPLES: [&str; 13] = [
    "doc",
    "docs",
    "docs_src",
    "example",
    "examples",
    "benches",
    "benchmark",
    "benchmarks",
    "scripts",
    "fixtures",
    "testdata",
    "sample",
    "samples",
];

/// Names of the features, in the order of their computation.
pub(super) const NAMES: [&str; 10] =
    ["type", "method", "field", "const", "callable", "special", "lines", "uses", "example", "test"];
/// Logarithm of the lines at which the `lines` feature is 1, about 400.
const MANY_LINES: f64 = 6.0;
/// Logarithm of the used symbols at which the `uses` feature is 1, about 55.
const MANY_USES: f64 = 4.0;
/// Names that every type may have: they say little about what the symbol is for.
const SPECIAL: [&str; 6] = ["constructor", "new", "init", "default", "fmt", "main"];

/// Computes the features of the candidates.
pub(super) fn features(context: &FeatureContext<'_>, candidates: &[NodeId]) -> Vec<Feature> {
    let kind_is = |node: NodeId, kinds: &[SymbolKind]| {
        f64::from(u8::from(context.graph.meta(node).is_some_and(|meta| kinds.contains(&meta.kind))))
    };
    let name = |node: NodeId| context.names.get(&node);
    let truth = |holds: bool| f64::from(u8::from(holds));
    vec![
        feature("type", candidates, |node| kind_is(node, &[SymbolKind::Type, SymbolKind::Interface])),
        feature("method", candidates, |node| kind_is(node, &[SymbolKind::Method])),
        feature("field", candidates, |node| kind_is(node, &[SymbolKind::Field, SymbolKind::Var])),
        feature("const", candidates, |node| kind_is(node, &[SymbolKind::Const])),
        feature("callable", candidates, |node| {
            kind_is(node, &[SymbolKind::Function, SymbolKind::Method, SymbolKind::Macro])
        }),
        feature("special", candidates, |node| truth(name(node).is_some_and(|name| is_special(&name.name)))),
        feature("lines", candidates, |node| {
            (f64::from(name(node).map_or(0, |name| name.lines)).ln_1p() / MANY_LINES).min(1.0)
        }),
        feature("uses", candidates, |node| {
            let mut used: Vec<NodeId> = uses(context.graph, node).collect();
            used.sort_unstable();
            used.dedup();
            ((used.len() as f64).ln_1p() / MANY_USES).min(1.0)
        }),
        feature("example", candidates, |node| truth(context.graph.path(node).is_some_and(is_example))),
        feature("test", candidates, |node| truth(context.factor(node) < 1.0)),
    ]
}

fn is_special(name: &str) -> bool {
    name.starts_with("__") || SPECIAL.contains(&name)
}

fn is_example(path: &str) -> bool {
    let folders = parent_dir(path);
    folders.split('/').any(|folder| EXAMPLES.contains(&folder))
}

#[cfg(test)]
mod tests {
    use super::is_example;

    #[test]
    fn only_whole_folders_match() {
        assert!(is_example("docs/tutorial/a.py") && is_example("crates/x/examples/a.rs"));
        assert!(!is_example("src/docs.py") && !is_example("documents/a.py"));
    }
}
