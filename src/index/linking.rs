//! From the resolver's ends to node numbers.

use std::collections::{HashMap, HashSet};

use super::catalog::Catalog;
use super::numbering::Numbers;
use crate::model::{SymbolId, SymbolKind};
use crate::resolve::output::{EdgeEndpoint, FileResolution};
use crate::store::{EdgeRow, Layer, NodeRow, TailRow, stored_confidence};

/// Edges that resolution found.
pub(super) const RESOLVED: Layer = 0;

/// What makes a tail symbol: its kind, the id of its file if it has one, and its full name.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct TailKey {
    pub(super) kind: SymbolKind,
    pub(super) file: Option<u32>,
    pub(super) name: String,
}

/// Symbols that are no definitions: externals, routes, packages and the like. They live as long as something needs
/// them.
pub(super) struct Tail {
    ids: HashMap<TailKey, u32>,
    /// Those not in the store yet.
    created: HashSet<u32>,
}

impl Tail {
    /// Those in the store.
    pub(super) fn new(rows: &[TailRow]) -> Tail {
        Tail { ids: rows.iter().map(|row| (key_of(row), row.id)).collect(), created: HashSet::new() }
    }

    /// The node of a tail symbol, made when there is none.
    pub(super) fn node(&mut self, kind: SymbolKind, file: Option<u32>, name: &str, numbers: &mut Numbers) -> u32 {
        let key = TailKey { kind, file, name: name.to_owned() };
        *self.ids.entry(key).or_insert_with(|| {
            let node = numbers.take();
            self.created.insert(node);
            node
        })
    }

    /// Forgets those for which `is_needed` is false, and gives their nodes where the store has them.
    pub(super) fn retain(&mut self, is_needed: impl Fn(&TailKey, u32) -> bool) -> Vec<u32> {
        let mut gone = Vec::new();
        self.ids.retain(|key, node| {
            let keep = is_needed(key, *node);
            if !keep {
                gone.push(*node);
            }
            keep
        });
        gone.iter().for_each(|node| {
            self.created.remove(node);
        });
        gone.sort_unstable();
        gone
    }

    /// Every tail symbol, by kind, file and name.
    pub(super) fn sorted(&self) -> Vec<(&TailKey, u32)> {
        let mut all: Vec<(&TailKey, u32)> = self.ids.iter().map(|(key, &node)| (key, node)).collect();
        all.sort_unstable();
        all
    }

    /// Names of what lies outside the repository, in no order that means anything.
    pub(super) fn externals(&self) -> impl Iterator<Item = &str> {
        self.ids.keys().filter(|key| key.kind == SymbolKind::External).map(|key| key.name.as_str())
    }

    /// The id of each route's file.
    pub(super) fn route_files(&self) -> HashMap<u32, u32> {
        self.ids.iter().filter_map(|(key, &node)| Some((node, key.file?))).collect()
    }

    /// The nodes of all tail symbols.
    pub(super) fn nodes(&self) -> HashSet<u32> {
        self.ids.values().copied().collect()
    }

    /// True when the store has not seen this node yet.
    pub(super) fn is_created(&self, node: u32) -> bool {
        self.created.contains(&node)
    }
}

fn key_of(row: &TailRow) -> TailKey {
    let name = match (row.kind, row.scope.is_empty()) {
        (SymbolKind::Package, _) => row.scope.clone(),
        (_, true) => row.name.clone(),
        (_, false) => format!("{}.{}", row.scope, row.name),
    };
    TailKey { kind: row.kind, file: row.file, name }
}

/// The row of a tail symbol. `package_name` is what a package calls itself, whatever its folder's name.
pub(super) fn tail_row(
    key: &TailKey,
    node: u32,
    place: Option<(&str, &str)>,
    repository: &str,
    package_name: &str,
) -> NodeRow {
    let (scope, name) = match key.kind {
        SymbolKind::Package => (key.name.as_str(), package_name),
        SymbolKind::External => split_dotted(&key.name),
        _ => ("", key.name.as_str()),
    };
    NodeRow {
        id: node,
        identity: SymbolId::new(
            repository,
            crate::lang::packages::symbol_name(key.kind, place, scope, name),
            key.kind,
            0,
        ),
        file: key.file,
        kind: key.kind,
        name: name.to_owned(),
        scope: scope.to_owned(),
        signature: String::new(),
        doc: String::new(),
        span: Default::default(),
        is_test: false,
        ordinal: 0,
    }
}

/// `os.path.join` is `join` in `os.path`; slashes belong to a path, not to a name.
fn split_dotted(full: &str) -> (&str, &str) {
    // Owners are names or addresses.
    if full.contains('@') {
        return ("", full);
    }
    let from = full.rfind('/').map_or(0, |slash| slash + 1);
    match full[from..].rfind('.') {
        Some(dot) if dot > 0 && from + dot + 1 < full.len() => (&full[..from + dot], &full[from + dot + 1..]),
        _ => ("", full),
    }
}

/// The edges of resolved files, by node numbers. `files` are places in the catalog, in order.
pub(super) fn link(
    catalog: &Catalog,
    files: &[u32],
    resolutions: &[FileResolution],
    tail: &mut Tail,
    numbers: &mut Numbers,
) -> Vec<EdgeRow> {
    let mut edges = Vec::new();
    for (&file, resolution) in files.iter().zip(resolutions) {
        let own = catalog.entries[file as usize].row.id;
        let mut node = |end: &EdgeEndpoint| match end {
            EdgeEndpoint::Definition { file, definition } => {
                catalog.entries[*file as usize].nodes[*definition as usize + 1]
            }
            EdgeEndpoint::File(file) => catalog.entries[*file as usize].nodes[0],
            EdgeEndpoint::External(name) => tail.node(SymbolKind::External, None, name, numbers),
            EdgeEndpoint::EnvVar(name) => tail.node(SymbolKind::EnvVar, None, name, numbers),
            EdgeEndpoint::Process(name) => tail.node(SymbolKind::Process, None, name, numbers),
            EdgeEndpoint::Route(name) => tail.node(SymbolKind::RouteHandler, Some(own), name, numbers),
        };
        for edge in &resolution.edges {
            edges.push(EdgeRow {
                source: node(&edge.source),
                edge_type: edge.edge_type,
                target: node(&edge.target),
                provenance: edge.provenance,
                confidence: stored_confidence(edge.confidence),
                layer: RESOLVED,
            });
        }
    }
    edges
}
