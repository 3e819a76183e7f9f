//! What kind of thing a candidate is, whatever the task says: fields and examples crowd out what they belong to.

use super::{Column, Sources, column};
use crate::model::SymbolKind;

/// Folders whose code shows how to use the rest, or measures it.
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

pub(super) const NAMES: [&str; 5] = ["type", "method", "field", "const", "example"];

pub(super) fn columns(sources: &Sources<'_>, candidates: &[u32]) -> Vec<Column> {
    let kind_is = |node: u32, kinds: &[SymbolKind]| {
        f64::from(u8::from(sources.graph.head(node).is_some_and(|head| kinds.contains(&head.kind))))
    };
    vec![
        column("type", candidates, |node| kind_is(node, &[SymbolKind::Type, SymbolKind::Interface])),
        column("method", candidates, |node| kind_is(node, &[SymbolKind::Method])),
        column("field", candidates, |node| kind_is(node, &[SymbolKind::Field, SymbolKind::Var])),
        column("const", candidates, |node| kind_is(node, &[SymbolKind::Const])),
        column("example", candidates, |node| f64::from(u8::from(sources.graph.path(node).is_some_and(is_example)))),
    ]
}

fn is_example(path: &str) -> bool {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    folders.split('/').any(|folder| EXAMPLES.contains(&folder))
}

#[cfg(test)]
mod tests {
    use super::is_example;

    #[test]
    fn only_whole_folders_count() {
        assert!(is_example("docs/tutorial/a.py") && is_example("crates/x/examples/a.rs"));
        assert!(!is_example("src/docs.py") && !is_example("documents/a.py"));
    }
}
