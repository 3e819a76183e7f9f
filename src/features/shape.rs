//! Features of a symbol's kind and folder, which are independent of the query.

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
pub(super) const NAMES: [&str; 5] = ["type", "method", "field", "const", "example"];

/// Computes the features of the candidates.
pub(super) fn features(context: &FeatureContext<'_>, candidates: &[NodeId]) -> Vec<Feature> {
    let kind_is = |node: NodeId, kinds: &[SymbolKind]| {
        f64::from(u8::from(context.graph.meta(node).is_some_and(|meta| kinds.contains(&meta.kind))))
    };
    vec![
        feature("type", candidates, |node| kind_is(node, &[SymbolKind::Type, SymbolKind::Interface])),
        feature("method", candidates, |node| kind_is(node, &[SymbolKind::Method])),
        feature("field", candidates, |node| kind_is(node, &[SymbolKind::Field, SymbolKind::Var])),
        feature("const", candidates, |node| kind_is(node, &[SymbolKind::Const])),
        feature("example", candidates, |node| f64::from(u8::from(context.graph.path(node).is_some_and(is_example)))),
    ]
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
