//! Everything that an index says, in a form that does not depend on how its nodes are numbered.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use knowing::store::{MatchQuery, Reader, SEARCH_COLUMNS};

/// One line for each row of the index, sorted.
pub fn dump(database: &Path) -> Vec<String> {
    let reader = Reader::open(database).unwrap();
    let symbols = reader.all_symbols().unwrap();
    let identity: BTreeMap<u32, String> = symbols.iter().map(|symbol| (symbol.node, symbol.id.hex())).collect();
    let names: BTreeMap<u32, String> = symbols.iter().map(|symbol| (symbol.node, name(symbol))).collect();
    let mut lines = Vec::new();
    for symbol in &symbols {
        let mut shown = symbol.clone();
        shown.node = 0;
        lines.push(format!("{shown:?}"));
    }
    for edge in reader.all_edges().unwrap() {
        let (source, target) = (&names[&edge.source], &names[&edge.target]);
        lines.push(format!(
            "{source} {} {target} {} {}",
            edge.edge_type.name(),
            edge.provenance.name(),
            edge.confidence
        ));
    }
    for file in reader.files().unwrap() {
        lines.push(format!("file {} {} {:?}", file.path, file.language, file.content_hash));
    }
    for (package, root) in reader.packages().unwrap() {
        lines.push(format!("package {package} {root:?}"));
    }
    let terms: BTreeSet<String> = symbols.iter().map(|symbol| symbol.name.to_lowercase()).collect();
    for term in terms {
        for hit in reader.search(&MatchQuery::new().term(&term), [1.0; SEARCH_COLUMNS], 1000).unwrap() {
            lines.push(format!("search {term} {} {:.9}", identity[&hit.node], hit.score));
        }
    }
    let stats = reader.stats().unwrap();
    lines.push(format!("counts {:?} {:?}", stats.symbols, stats.edges));
    lines.push(format!("profile {:?}", knowing::index::profile(&reader).unwrap()));
    lines.push(format!("unresolved {:?}", knowing::index::unresolved(&reader).unwrap()));
    lines.push(format!("root {:?}", reader.latest_snapshot().unwrap().map(|snapshot| snapshot.root)));
    lines.sort();
    lines
}

fn name(symbol: &knowing::model::Symbol) -> String {
    format!("{}#{}{}", symbol.qualified_name, symbol.kind.name(), symbol.ordinal)
}

/// The lines that only one of two dumps has.
pub fn difference(one: &[String], two: &[String]) -> Vec<String> {
    let (first, second): (BTreeSet<&String>, BTreeSet<&String>) = (one.iter().collect(), two.iter().collect());
    let only_first = first.difference(&second).map(|line| format!("- {line}"));
    let only_second = second.difference(&first).map(|line| format!("+ {line}"));
    only_first.chain(only_second).take(40).collect()
}
