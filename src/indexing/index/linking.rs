//! Maps the resolver's edge endpoints to node ids.

use std::collections::{HashMap, HashSet};

use super::affected::Untold;
use super::file_set::FileSet;
use super::lazy_facts::LazyFacts;
use super::node_ids::NodeIdAllocator;
use crate::model::{FileId, FileIndex, NodeId, SymbolKind};
use crate::resolve::output::{EdgeEndpoint, FileResolution};
use crate::store::{EdgeRow, FilelessNodeRow, Layer, NodeRow, stored_confidence};

/// Edges found by resolution.
pub(super) const RESOLVED: Layer = 0;

/// The key of a node without a definition: kind, file (routes only) and full name.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct FilelessKey {
    pub(super) kind: SymbolKind,
    pub(super) file: Option<FileId>,
    pub(super) name: String,
}

/// Nodes without a definition in a file: externals, environment variables, processes, flags and packages, which have no file,
/// and routes. They exist as long as an edge or a folder needs them.
pub(super) struct FilelessNodes {
    ids: HashMap<FilelessKey, NodeId>,
    /// Nodes that are not in the store yet.
    new_nodes: HashSet<NodeId>,
}

impl FilelessNodes {
    /// Creates the set of stored nodes.
    pub(super) fn new(rows: &[FilelessNodeRow]) -> FilelessNodes {
        FilelessNodes { ids: rows.iter().map(|row| (key_of(row), row.id)).collect(), new_nodes: HashSet::new() }
    }

    /// Returns the node of a key, allocated if it does not exist.
    pub(super) fn node(
        &mut self,
        kind: SymbolKind,
        file: Option<FileId>,
        name: &str,
        allocator: &mut NodeIdAllocator,
    ) -> NodeId {
        let key = FilelessKey { kind, file, name: name.to_owned() };
        *self.ids.entry(key).or_insert_with(|| {
            let node = allocator.allocate();
            self.new_nodes.insert(node);
            node
        })
    }

    /// Removes the nodes for which `is_needed` returns false. Returns the removed nodes, sorted.
    pub(super) fn retain(&mut self, is_needed: impl Fn(&FilelessKey, NodeId) -> bool) -> Vec<NodeId> {
        let mut removed = Vec::new();
        self.ids.retain(|key, node| {
            let keep = is_needed(key, *node);
            if !keep {
                removed.push(*node);
            }
            keep
        });
        removed.iter().for_each(|node| {
            self.new_nodes.remove(node);
        });
        removed.sort_unstable();
        removed
    }

    /// Returns every node, in no order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&FilelessKey, NodeId)> {
        self.ids.iter().map(|(key, node)| (key, *node))
    }

    /// Returns every node, sorted by kind, file and name.
    pub(super) fn sorted(&self) -> Vec<(&FilelessKey, NodeId)> {
        let mut all: Vec<(&FilelessKey, NodeId)> = self.iter().collect();
        all.sort_unstable();
        all
    }

    /// Returns the names of externals, in unspecified order.
    pub(super) fn externals(&self) -> impl Iterator<Item = &str> {
        self.ids.keys().filter(|key| key.kind == SymbolKind::External).map(|key| key.name.as_str())
    }

    /// Returns the file id of each route.
    pub(super) fn route_files(&self) -> HashMap<NodeId, FileId> {
        self.ids.iter().filter_map(|(key, &node)| Some((node, key.file?))).collect()
    }

    /// Returns every node, in unspecified order.
    pub(super) fn nodes(&self) -> HashSet<NodeId> {
        self.ids.values().copied().collect()
    }

    /// Returns whether the node is not in the store yet.
    pub(super) fn is_new(&self, node: NodeId) -> bool {
        self.new_nodes.contains(&node)
    }
}

fn key_of(row: &FilelessNodeRow) -> FilelessKey {
    let name = match (row.kind, row.scope.is_empty()) {
        (SymbolKind::Package, _) => row.scope.clone(),
        (_, true) => row.name.clone(),
        (_, false) => format!("{}.{}", row.scope, row.name),
    };
    FilelessKey { kind: row.kind, file: row.file, name }
}

/// Returns the row of a node without a definition. `package_name` is the declared name of a package.
pub(super) fn fileless_row(key: &FilelessKey, node: NodeId, package_name: &str) -> NodeRow {
    let (scope, name) = match key.kind {
        SymbolKind::Package => (key.name.as_str(), package_name),
        SymbolKind::External => split_dotted(&key.name),
        _ => ("", key.name.as_str()),
    };
    NodeRow {
        id: node,
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

/// Splits `os.path.join` into `os.path` and `join`, ignoring dots before the last slash.
fn split_dotted(full: &str) -> (&str, &str) {
    // Code owners are names or email addresses.
    if full.contains('@') {
        return ("", full);
    }
    let from = full.rfind('/').map_or(0, |slash| slash + 1);
    match full[from..].rfind('.') {
        Some(dot) if dot > 0 && from + dot + 1 < full.len() => (&full[..from + dot], &full[from + dot + 1..]),
        _ => ("", full),
    }
}

/// Adds the edges of resolved files by node id. `files` are indexes in the set, in order. Returns what the references of each
/// file mean whose name does not tell.
pub(super) fn link(
    (file_set, facts): (&FileSet, &LazyFacts<'_>),
    files: &[FileIndex],
    resolutions: &[FileResolution],
    (fileless, allocator): (&mut FilelessNodes, &mut NodeIdAllocator),
    edges: &mut Vec<EdgeRow>,
) -> Vec<Vec<Untold>> {
    let mut untold = Vec::with_capacity(files.len());
    for (&file, resolution) in files.iter().zip(resolutions) {
        let file_id = file_set.entries[file.index()].row.id;
        let mut node = |end: &EdgeEndpoint| match end {
            EdgeEndpoint::Definition { file, definition } => facts.node(*file, definition.index() + 1),
            EdgeEndpoint::File(file) => facts.node(*file, 0),
            EdgeEndpoint::External(name) => fileless.node(SymbolKind::External, None, name, allocator),
            EdgeEndpoint::EnvVar(name) => fileless.node(SymbolKind::EnvVar, None, name, allocator),
            EdgeEndpoint::Style(name) => fileless.node(SymbolKind::Style, None, name, allocator),
            EdgeEndpoint::Process(name) => fileless.node(SymbolKind::Process, None, name, allocator),
            EdgeEndpoint::Flag(name) => fileless.node(SymbolKind::Flag, None, name, allocator),
            EdgeEndpoint::Route(name) => fileless.node(SymbolKind::RouteHandler, Some(file_id), name, allocator),
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
        untold.push(resolution.untold.iter().map(|(at, target)| (*at, target.as_ref().map(&mut node))).collect());
    }
    untold
}
