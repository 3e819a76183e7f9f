//! Dumps the content of an index in a form that is independent of node ids.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use knowing_analysis::graph::adjacency::Neighborhoods;
use knowing_analysis::model::NodeId;
use knowing_indexing::index::check_file_names;
use knowing_indexing::store::{NodeMetaRow, Reader};
use knowing_retrieval::candidates::Graph;
use knowing_retrieval::rank::tuning;
use knowing_retrieval::rank::walk::random_walk;

/// Returns one line for each row of the index, sorted. Asserts that what is read of single symbols equals what is read of all.
pub fn dump(database: &Path) -> Vec<String> {
    assert_parts_equal_whole(database);
    rows(database)
}

/// Returns one line for each row of the index, sorted.
pub fn rows(database: &Path) -> Vec<String> {
    let reader = Reader::open(database).unwrap();
    let symbols = reader.all_symbols().unwrap();
    let names: BTreeMap<NodeId, String> = symbols.iter().map(|symbol| (symbol.node, name(symbol))).collect();
    let mut lines = Vec::new();
    for symbol in &symbols {
        let mut row = symbol.clone();
        row.node = NodeId::default();
        lines.push(format!("{row:?}"));
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
    assert_eq!(check_file_names(database).unwrap().problems, [""; 0], "what files have to do with names");
    for document in reader.documents().unwrap() {
        let sections = reader.sections(document.id).unwrap();
        lines.push(format!("document {} {:?} {sections:?}", document.path, document.content_hash));
    }
    for (package, root) in reader.packages().unwrap() {
        lines.push(format!("package {package} {root:?}"));
    }
    let lengths = |row: NodeMetaRow| lines.push(format!("lengths {} {:?}", names[&row.node], row.lengths));
    reader.for_each_node_meta(lengths).unwrap();
    for (term, node) in search_terms(database) {
        lines.push(format!("search {term} {}", names[&node]));
    }
    for skip in reader.skips().unwrap() {
        lines.push(format!("skip {} {}", skip.path, skip.reason));
    }
    lines.push(format!("unread {:?}", knowing_indexing::index::Unread::read(&reader).unwrap()));
    for (path, hash) in reader.manifests().unwrap() {
        lines.push(format!("manifest {path} {hash:?}"));
    }
    for hash in reader.commit_hashes().unwrap() {
        lines.push(format!("commit {hash:?} {:?}", reader.commit_paths(&hash).unwrap()));
    }
    for row in reader.node_histories().unwrap() {
        let counts = format!("{} {:b}", row.commit_count, row.own_commits);
        lines.push(format!("history {} {} {} {counts}", names[&row.node], row.last_time, row.last_author));
    }
    let stats = reader.stats().unwrap();
    lines.push(format!("counts {:?} {:?}", stats.symbols, stats.edges));
    lines.push(format!("profile {:?}", knowing_indexing::index::profile(&reader).unwrap()));
    lines.push(format!("unresolved {:?}", knowing_indexing::index::unresolved(&reader).unwrap()));
    lines.push(format!("root {:?}", reader.latest_snapshot().unwrap().map(|snapshot| snapshot.root)));
    lines.sort();
    lines
}

fn assert_parts_equal_whole(database: &Path) {
    let [parts, whole] = [(); 2].map(|()| Graph::open(Reader::open(database).unwrap()).unwrap());
    whole.load().unwrap();
    let nodes = Reader::open(database).unwrap().node_ids().unwrap();
    for &node in &nodes {
        assert_eq!(parts.meta(node), whole.meta(node), "{node}");
        let facts = |graph: &Graph| (graph.declared(node), graph.container(node), graph.popularity(node));
        assert_eq!(parts.outgoing(node), whole.outgoing(node), "targets of {node}");
        assert_eq!(parts.incoming(node), whole.incoming(node), "sources of {node}");
        assert_eq!(facts(&parts), facts(&whole), "{node}");
        let (least, degree) = (whole.least_degree(node), whole.weighted_degree(node));
        assert!(0.99 * degree <= least && least <= degree, "{node}: {least} and {degree}");
    }
    let seeds: Vec<(NodeId, f64)> = nodes.iter().step_by(1 + nodes.len() / 3).map(|node| (*node, 1.0)).collect();
    let [one, other] = [&parts, &whole].map(|graph| random_walk(graph, &seeds, &tuning::WALK));
    assert!(one == other);
    for node in nodes {
        assert_eq!(one.distance(&parts, node), other.distance(&whole, node), "{node}");
    }
    parts.check().unwrap();
    for (file, path) in parts.files() {
        assert_eq!(parts.nodes_in_file(*file), whole.nodes_in_file(*file), "{path}");
    }
}

/// Returns the terms of each symbol's search text, which have their column and frequency.
fn search_terms(database: &Path) -> Vec<(String, NodeId)> {
    let connection = rusqlite::Connection::open(database).unwrap();
    let mut statement = connection.prepare("SELECT term, doc FROM search_terms").unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

fn name(symbol: &knowing_analysis::model::Symbol) -> String {
    format!("{}#{}{}", symbol.qualified_name, symbol.kind.name(), symbol.ordinal)
}

/// Returns the lines that only one of two dumps contains.
pub fn difference(one: &[String], two: &[String]) -> Vec<String> {
    let (first, second): (BTreeSet<&String>, BTreeSet<&String>) = (one.iter().collect(), two.iter().collect());
    let only_first = first.difference(&second).map(|line| format!("- {line}"));
    let only_second = second.difference(&first).map(|line| format!("+ {line}"));
    only_first.chain(only_second).take(40).collect()
}
