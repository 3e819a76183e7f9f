//! Edges that files about the repository declare: the owners of files and the dependencies of packages.

use std::collections::BTreeMap;

use super::file_set::FileSet;
use super::linking::FilelessNodes;
use super::node_ids::NodeIdAllocator;
use crate::graph::derive::{depends_on, owned_by};
use crate::lang::manifest::Packages;
use crate::model::{Edge, NodeId, SymbolKind};
use crate::resolve::input::Manifest;
use crate::scan::Owners;
use crate::store::{EdgeRow, Layer, stored_confidence};
use crate::text::parent_dir;

/// Edges from owners and manifests.
const DECLARED: Layer = 3;

/// Returns the edges from files to their owners.
pub(super) fn owned_by(
    file_set: &FileSet,
    owners: &Owners,
    fileless: &mut FilelessNodes,
    allocator: &mut NodeIdAllocator,
) -> Vec<EdgeRow> {
    let mut pairs = Vec::new();
    for entry in &file_set.entries {
        for owner in owners.for_path(&entry.row.path) {
            pairs.push((entry.nodes[0], fileless.node(SymbolKind::External, None, owner, allocator)));
        }
    }
    rows(owned_by::edges(&pairs))
}

/// Returns the edges from packages to those that their manifests require. The package of a manifest is its folder, which
/// is added to `names` unless it has a name.
///
/// A required package that another manifest of the repository defines is that manifest's package, any other is external.
pub(super) fn depends_on(
    manifests: &[Manifest],
    repository: &str,
    fileless: &mut FilelessNodes,
    allocator: &mut NodeIdAllocator,
    names: &mut BTreeMap<String, String>,
) -> Vec<EdgeRow> {
    let read = |manifest: &Manifest| Packages::from_manifests(std::slice::from_ref(manifest));
    let packages: Vec<(&str, Packages)> =
        manifests.iter().map(|manifest| (parent_dir(&manifest.path), read(manifest))).collect();
    let mut folders: BTreeMap<&str, &str> = BTreeMap::new();
    for (folder, read) in &packages {
        read.defined.iter().for_each(|name| {
            folders.entry(name).or_insert(folder);
        });
    }
    let mut pairs: Vec<(NodeId, NodeId)> = Vec::new();
    for (folder, read) in packages.iter().filter(|(_, read)| !read.required.is_empty()) {
        let source = fileless.node(SymbolKind::Package, None, folder, allocator);
        let path = if folder.is_empty() { repository } else { folder };
        let name = read.defined.first().map_or(path, String::as_str);
        names.entry((*folder).to_owned()).or_insert_with(|| short(name).to_owned());
        for required in &read.required {
            let target = match folders.get(required.as_str()) {
                Some(folder) => fileless.node(SymbolKind::Package, None, folder, allocator),
                None => fileless.node(SymbolKind::External, None, required, allocator),
            };
            pairs.push((source, target));
        }
    }
    for (name, folder) in folders {
        names.entry(folder.to_owned()).or_insert_with(|| short(name).to_owned());
    }
    rows(depends_on::edges(&pairs))
}

/// Returns the last part of a package's name: `api` of `example.com/api`, `slf4j-api` of `org.slf4j:slf4j-api`.
fn short(name: &str) -> &str {
    name.rsplit(['/', ':']).next().unwrap_or(name)
}

fn rows(edges: Vec<Edge>) -> Vec<EdgeRow> {
    let row = |edge: Edge| EdgeRow {
        source: edge.source,
        edge_type: edge.edge_type,
        target: edge.target,
        provenance: edge.provenance,
        confidence: stored_confidence(edge.confidence),
        layer: DECLARED,
    };
    edges.into_iter().map(row).collect()
}
