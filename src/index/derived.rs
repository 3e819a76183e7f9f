//! Builds the view that derivation reads, and brings its edges back to node numbers.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rayon::prelude::*;

use super::catalog::Catalog;
use super::extract::FileTexts;
use super::linking::TailKey;
use super::stored_texts::StoredTexts;
use crate::facts::Container;
use crate::graph::derive;
use crate::graph::derive::shape::method_shape;
use crate::graph::view::{FileNode, GraphView, NONE, Node};
use crate::model::{Edge, SymbolKind};
use crate::store::{EdgeRow, Layer, Reader, StoreError, read_confidence, stored_confidence};

/// Edges derived from the whole graph.
pub(super) const DERIVED: Layer = 1;
/// Edges between similar bodies of one place.
pub(super) const SIMILAR: Layer = 2;

/// Of each extension block (file and number), the type that it extends (file and definition), all by catalog.
pub(super) type ExtensionTargets = HashMap<(u32, u32), (u32, u32)>;

/// Canonical positions of nodes: files by path with their definitions, then the tail.
pub(super) struct Positions {
    /// Position of each file's own symbol, by place in the catalog.
    bases: Vec<u32>,
    /// Node at each position.
    nodes: Vec<u32>,
    /// Position of each node; [`NONE`] where there is no such node.
    of_node: Vec<u32>,
}

impl Positions {
    /// Numbers every node of the catalog and the tail.
    pub(super) fn new(catalog: &Catalog, tail: &[(&TailKey, u32)]) -> Positions {
        let mut nodes = Vec::new();
        let mut bases = Vec::with_capacity(catalog.entries.len());
        for entry in &catalog.entries {
            bases.push(nodes.len() as u32);
            nodes.extend_from_slice(&entry.nodes);
        }
        nodes.extend(tail.iter().map(|(_, node)| *node));
        let mut of_node = vec![NONE; nodes.iter().max().map_or(0, |&node| node as usize + 1)];
        for (position, &node) in (0_u32..).zip(&nodes) {
            of_node[node as usize] = position;
        }
        Positions { bases, nodes, of_node }
    }

    /// The position of a node, if there is such a node.
    pub(super) fn of(&self, node: u32) -> Option<u32> {
        self.of_node.get(node as usize).copied().filter(|&position| position != NONE)
    }

    fn definition(&self, file: u32, definition: u32) -> u32 {
        self.bases[file as usize] + 1 + definition
    }

    fn rows(&self, edges: Vec<Edge>, layer: Layer) -> Vec<EdgeRow> {
        let row = |edge: Edge| EdgeRow {
            source: self.nodes[edge.source as usize],
            edge_type: edge.edge_type,
            target: self.nodes[edge.target as usize],
            provenance: edge.provenance,
            confidence: stored_confidence(edge.confidence),
            layer,
        };
        edges.into_iter().map(row).collect()
    }
}

/// Everything derived from the whole graph.
pub(super) fn derive_all(
    catalog: &Catalog,
    tail: &[(&TailKey, u32)],
    positions: &Positions,
    packages: &[Option<u32>],
    targets: &ExtensionTargets,
    resolved: &[EdgeRow],
) -> Vec<EdgeRow> {
    let by_id: HashMap<u32, u32> = (0_u32..).zip(&catalog.entries).map(|(file, entry)| (entry.row.id, file)).collect();
    let mut nodes: Vec<Node<'_>> = Vec::with_capacity(positions.nodes.len());
    for (file, entry) in (0_u32..).zip(&catalog.entries) {
        let package = packages[file as usize].and_then(|node| positions.of(node));
        nodes.push(Node { parent: package, ..plain(super::rows::file_name(&entry.row.path), SymbolKind::File, file) });
        nodes[positions.bases[file as usize] as usize].is_test = entry.outline.is_test;
        for definition in &entry.outline.definitions {
            let needs_shape = crate::lang::packages::has_implicit_interfaces(&entry.row.language)
                && definition.kind == SymbolKind::Method;
            nodes.push(Node {
                name: entry.outline.names.get(definition.name),
                kind: definition.kind,
                file,
                container: match definition.container {
                    Container::Module => None,
                    Container::Definition(owner) => Some(positions.definition(file, owner.0)),
                    Container::Extension(block) => {
                        targets.get(&(file, block.0)).map(|&(file, owner)| positions.definition(file, owner))
                    }
                },
                parent: definition.parent.map(|parent| positions.definition(file, parent.0)),
                is_test: definition.flags.is_test,
                is_abstract: definition.flags.is_abstract,
                shape: if needs_shape { method_shape(&entry.row.language, &definition.signature) } else { 0 },
            });
        }
    }
    for (key, _) in tail {
        let file = key.file.and_then(|id| by_id.get(&id).copied()).unwrap_or(NONE);
        nodes.push(plain(&key.name, key.kind, file));
    }
    let files: Vec<FileNode<'_>> = (0_usize..)
        .zip(&catalog.entries)
        .map(|(file, entry)| FileNode {
            path: &entry.row.path,
            language: entry.language.name,
            node: positions.bases[file],
        })
        .collect();
    let mut edges: Vec<Edge> = resolved.iter().filter_map(|row| edge_between(positions, row)).collect();
    edges.par_sort_unstable_by_key(|edge| (edge.source, edge.target, edge.edge_type));
    positions.rows(derive::derive(&GraphView { nodes: &nodes, files: &files, edges: &edges }), DERIVED)
}

fn plain(name: &str, kind: SymbolKind, file: u32) -> Node<'_> {
    Node { name, kind, file, container: None, parent: None, is_test: false, is_abstract: false, shape: 0 }
}

fn edge_between(positions: &Positions, row: &EdgeRow) -> Option<Edge> {
    Some(Edge {
        source: positions.of(row.source)?,
        target: positions.of(row.target)?,
        edge_type: row.edge_type,
        provenance: row.provenance,
        confidence: read_confidence(row.confidence),
    })
}

/// Similar bodies in each of the given places.
pub(super) fn similar(
    catalog: &Catalog,
    positions: &Positions,
    places: &BTreeSet<&str>,
    reader: &Reader,
    pool: &rayon::ThreadPool,
) -> Result<Vec<EdgeRow>, StoreError> {
    let mut members: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    let mut loaded: HashMap<u32, FileTexts> = HashMap::new();
    for (file, entry) in (0_u32..).zip(&catalog.entries).filter(|(_, entry)| places.contains(entry.place())) {
        members.entry(entry.place()).or_default().push(file);
        if entry.texts.is_none()
            && let Some(blob) = reader.texts_blob(entry.row.id)?
        {
            loaded.insert(file, blob.unpack::<StoredTexts>()?.texts);
        }
    }
    let of_place = |files: &Vec<u32>| -> Vec<Edge> {
        let mut bodies = Vec::new();
        for &file in files {
            let entry = &catalog.entries[file as usize];
            let Some(texts) = entry.texts.as_ref().or_else(|| loaded.get(&file)) else { continue };
            for (index, (definition, words)) in (0_u32..).zip(entry.outline.definitions.iter().zip(&texts.bodies)) {
                if definition.kind.is_callable() {
                    bodies.push(derive::similar_to::Body { node: positions.definition(file, index), words });
                }
            }
        }
        derive::similar_to::edges(&bodies)
    };
    let groups: Vec<Vec<u32>> = members.into_values().collect();
    let edges: Vec<Vec<Edge>> = pool.install(|| groups.par_iter().map(of_place).collect());
    Ok(positions.rows(edges.concat(), SIMILAR))
}

/// The package symbol of each file of the catalog, and what each package calls itself. Go folders are packages, and
/// Python folders with an `__init__`.
pub(super) fn packages(catalog: &Catalog, repository: &str) -> (Vec<Option<String>>, BTreeMap<String, String>) {
    let folder = |path: &str| path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    let is_init = |path: &str| matches!(super::rows::file_name(path), "__init__.py" | "__init__.pyi");
    let python: BTreeSet<String> =
        catalog.entries.iter().filter(|entry| is_init(&entry.row.path)).map(|entry| folder(&entry.row.path)).collect();
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let mut of_file = Vec::with_capacity(catalog.entries.len());
    for entry in &catalog.entries {
        let folder = folder(&entry.row.path);
        let is_package = match entry.language.name {
            "go" => true,
            "python" => python.contains(&folder),
            _ => false,
        };
        if !is_package {
            of_file.push(None);
            continue;
        }
        let own = entry.outline.package.map(|name| entry.outline.names.get(name));
        let plain = own.filter(|name| !name.is_empty() && !name.ends_with("_test"));
        let whole = if folder.is_empty() { repository } else { &folder };
        let default = whole.rsplit('/').next().unwrap_or(whole);
        let name = names.entry(folder.clone()).or_insert_with(|| default.to_owned());
        if let Some(plain) = plain
            && name == default
        {
            plain.clone_into(name);
        }
        of_file.push(Some(folder));
    }
    (of_file, names)
}
