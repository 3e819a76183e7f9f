//! Builds the graph view that derivation reads, and maps its edges back to node ids.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use rayon::prelude::*;

use super::file_set::{Entry, FileSet};
use super::linking::FilelessKey;
use super::texts::{FileTexts, StoredTexts};
use crate::facts::{Container, Definition, Outline};
use crate::graph::derive;
use crate::graph::view::{FileNode, GraphView, NONE, Node, NodeFacts};
use crate::lang::PackageFolders;
use crate::lang::packages::{has_implicit_interfaces, method_shape};
use crate::model::{DefId, Edge, FileId, FileIndex, NodeId, SymbolKind};
use crate::resolve::input::{FactSource, each_batch};
use crate::store::{EdgeRow, Layer, Reader, StoreError, read_confidence, stored_confidence};
use crate::text::{file_name, parent_dir};

/// Edges derived from the whole graph.
pub(super) const DERIVED: Layer = 1;
/// Edges between similar bodies of a package.
pub(super) const SIMILAR: Layer = 2;

/// The type (file and definition) that each extension block (file and block) extends.
pub(super) type ExtensionTargets = HashMap<(FileIndex, u32), (FileIndex, DefId)>;

/// Position of a node in the canonical order of [`NodePositions`].
type Position = NodeId;

/// Canonical positions of nodes: files by path, each with its definitions, then nodes without a definition. Derivation
/// uses positions so that its result is independent of node ids.
pub(super) struct NodePositions {
    /// Position of each file's own symbol.
    bases: Vec<Position>,
    /// Node at each position.
    nodes: Vec<NodeId>,
    /// Position of each node; [`Position::MAX`] for unused node ids.
    by_node: Vec<Position>,
}

impl NodePositions {
    /// Assigns positions to every node of the file set and to the nodes without a definition.
    pub(super) fn new(file_set: &FileSet, fileless: &[(&FilelessKey, NodeId)]) -> NodePositions {
        let mut nodes = Vec::new();
        let mut bases = Vec::with_capacity(file_set.entries.len());
        for entry in &file_set.entries {
            bases.push(Position::from_index(nodes.len()));
            nodes.extend_from_slice(&entry.nodes);
        }
        nodes.extend(fileless.iter().map(|(_, node)| *node));
        let mut by_node = vec![Position::MAX; nodes.iter().max().map_or(0, |&node| node.index() + 1)];
        for (position, &node) in Position::sequence().zip(&nodes) {
            by_node[node.index()] = position;
        }
        NodePositions { bases, nodes, by_node }
    }

    /// Returns the position of a node, if it exists.
    pub(super) fn position(&self, node: NodeId) -> Option<Position> {
        self.by_node.get(node.index()).copied().filter(|&position| position != Position::MAX)
    }

    /// Returns the file of a position that is not that of a node without a definition.
    fn file(&self, position: Position) -> FileIndex {
        FileIndex::from_index(self.bases.partition_point(|base| *base <= position).saturating_sub(1))
    }

    fn definition(&self, file: FileIndex, definition: DefId) -> Position {
        Position::new(self.bases[file.index()].get() + 1 + definition.get())
    }
}

/// Returns the rows of edges between nodes by their positions.
fn rows(nodes: &[NodeId], edges: Vec<Edge>, layer: Layer) -> Vec<EdgeRow> {
    let row = |edge: Edge| EdgeRow {
        source: nodes[edge.source.index()],
        edge_type: edge.edge_type,
        target: nodes[edge.target.index()],
        provenance: edge.provenance,
        confidence: stored_confidence(edge.confidence),
        layer,
    };
    edges.into_iter().map(row).collect()
}

/// The input of derivation besides edges.
pub(super) struct Graph<'a> {
    pub(super) file_set: &'a FileSet,
    pub(super) facts: &'a dyn FactSource,
    pub(super) fileless: &'a [(&'a FilelessKey, NodeId)],
    pub(super) positions: &'a NodePositions,
    /// The node of each file's package.
    pub(super) packages: &'a [Option<NodeId>],
    pub(super) targets: &'a ExtensionTargets,
}

impl Graph<'_> {
    /// Returns every edge derived from the whole graph. `edges` are all others; those between similar bodies are not read.
    /// Also returns the number of symbols of each kind, which would be slow to count later.
    pub(super) fn derived_edges(&self, edges: &[EdgeRow]) -> (Vec<EdgeRow>, BTreeMap<SymbolKind, u64>) {
        let nodes = self.nodes();
        let files: Vec<FileNode<'_>> = (0_usize..)
            .zip(&self.file_set.entries)
            .map(|(file, entry)| FileNode {
                path: &entry.row.path,
                language: entry.language.name,
                node: self.positions.bases[file],
            })
            .collect();
        let resolved = edges.iter().filter(|edge| edge.layer != SIMILAR);
        let mut edges: Vec<Edge> = Vec::with_capacity(resolved.clone().count());
        edges.extend(resolved.filter_map(|row| edge_between(self.positions, row)));
        edges.par_sort_unstable_by_key(|edge| (edge.source, edge.target, edge.edge_type));
        let derived = derive::derive(&GraphView { nodes: &nodes, facts: self, files: &files, edges: &edges });
        let mut counts = BTreeMap::new();
        nodes.iter().for_each(|node| *counts.entry(node.kind).or_insert(0) += 1);
        drop((nodes, edges));
        (rows(&self.positions.nodes, derived, DERIVED), counts)
    }

    fn nodes(&self) -> Vec<Node> {
        let entries = &self.file_set.entries;
        let by_id: HashMap<FileId, FileIndex> =
            FileIndex::sequence().zip(entries).map(|(file, entry)| (entry.row.id, file)).collect();
        let mut nodes: Vec<Node> = Vec::with_capacity(self.positions.nodes.len());
        each_batch(self.facts, FileIndex::sequence().take(entries.len()), |batch| {
            let of_batch: Vec<Vec<Node>> =
                batch.par_iter().map(|(file, outline)| self.nodes_of_file(*file, outline)).collect();
            of_batch.iter().for_each(|of_file| nodes.extend_from_slice(of_file));
        });
        nodes.extend(self.fileless.iter().map(|(key, _)| {
            let file = key.file.and_then(|id| by_id.get(&id).copied()).unwrap_or(NONE);
            bare_node(key.kind, file)
        }));
        nodes
    }

    fn nodes_of_file(&self, file: FileIndex, outline: &Outline) -> Vec<Node> {
        let package = self.packages[file.index()].and_then(|node| self.positions.position(node));
        let own = Node { parent: package, is_test: outline.is_test, ..bare_node(SymbolKind::File, file) };
        let entry = &self.file_set.entries[file.index()];
        let definitions = outline.definitions.iter().map(|definition| self.node((file, entry), definition));
        std::iter::once(own).chain(definitions).collect()
    }

    fn node(&self, (file, entry): (FileIndex, &Entry), definition: &Definition) -> Node {
        let needs_shape = has_implicit_interfaces(&entry.row.language) && definition.kind == SymbolKind::Method;
        Node {
            kind: definition.kind,
            file,
            container: match definition.container {
                Container::Module => None,
                Container::Definition(owner) => Some(self.positions.definition(file, owner)),
                Container::Extension(block) => {
                    let target = self.targets.get(&(file, block.0));
                    target.map(|&(file, owner)| self.positions.definition(file, owner))
                }
            },
            parent: definition.parent.map(|parent| self.positions.definition(file, parent)),
            is_test: definition.flags.is_test,
            is_abstract: definition.flags.is_abstract,
            shape: if needs_shape { method_shape(&entry.row.language, &definition.signature) } else { 0 },
        }
    }
}

impl NodeFacts for Graph<'_> {
    fn name(&self, position: NodeId) -> &str {
        let in_files = self.positions.nodes.len() - self.fileless.len();
        if let Some(index) = position.index().checked_sub(in_files) {
            return &self.fileless[index].0.name;
        }
        match self.defined(position) {
            Some((outline, definition)) => outline.names.get(definition.name),
            None => file_name(&self.file_set.entries[self.positions.file(position).index()].row.path),
        }
    }

    fn defined(&self, position: NodeId) -> Option<(&Outline, &Definition)> {
        if position.index() >= self.positions.nodes.len() - self.fileless.len() {
            return None;
        }
        let file = self.positions.file(position);
        let number = (position.index() - self.positions.bases[file.index()].index()).checked_sub(1)?;
        let outline = self.facts.outline(file);
        Some((outline, outline.definitions.get(number)?))
    }
}

fn bare_node(kind: SymbolKind, file: FileIndex) -> Node {
    Node { kind, file, container: None, parent: None, is_test: false, is_abstract: false, shape: 0 }
}

fn edge_between(positions: &NodePositions, row: &EdgeRow) -> Option<Edge> {
    Some(Edge {
        source: positions.position(row.source)?,
        target: positions.position(row.target)?,
        edge_type: row.edge_type,
        provenance: row.provenance,
        confidence: read_confidence(row.confidence),
    })
}

/// Returns the edges between similar bodies within each of the given packages.
pub(super) fn similar_edges(
    file_set: &FileSet,
    packages: &BTreeSet<&str>,
    reader: &Reader,
    pool: &rayon::ThreadPool,
) -> Result<Vec<EdgeRow>, StoreError> {
    let mut members: BTreeMap<&str, Vec<FileIndex>> = BTreeMap::new();
    let mut loaded: HashMap<FileIndex, FileTexts> = HashMap::new();
    for (file, entry) in
        FileIndex::sequence().zip(&file_set.entries).filter(|(_, entry)| packages.contains(entry.package()))
    {
        members.entry(entry.package()).or_default().push(file);
        if !entry.is_parsed()
            && let Some(blob) = reader.texts_blob(entry.row.id)?
        {
            loaded.insert(file, blob.unpack::<StoredTexts>()?.texts);
        }
    }
    let edges_of_package = |files: &Vec<FileIndex>| -> Result<Vec<EdgeRow>, StoreError> {
        let stored = |file| loaded.get(file).map(Cow::Borrowed);
        let texts: Result<Vec<Option<Cow<'_, FileTexts>>>, StoreError> =
            files.iter().map(|file| Ok(file_set.entries[file.index()].texts()?.or_else(|| stored(file)))).collect();
        let texts = texts?;
        // A body's position is that of its node among them, so that the result is independent of node ids.
        let (mut bodies, mut nodes) = (Vec::new(), Vec::new());
        for (&file, texts) in files.iter().zip(&texts) {
            let entry = &file_set.entries[file.index()];
            let Some(texts) = texts else { continue };
            let outline = entry.outline()?;
            let definitions = outline.definitions.iter().zip(entry.nodes.iter().skip(1)).zip(&texts.bodies);
            for ((_, node), words) in definitions.filter(|((definition, _), _)| definition.kind.is_callable()) {
                bodies.push(derive::similar_to::Body { node: Position::from_index(nodes.len()), words });
                nodes.push(*node);
            }
        }
        Ok(rows(&nodes, derive::similar_to::edges(&bodies), SIMILAR))
    };
    let groups: Vec<Vec<FileIndex>> = members.into_values().collect();
    let edges: Result<Vec<_>, StoreError> = pool.install(|| groups.par_iter().map(edges_of_package).collect());
    Ok(edges?.concat())
}

/// The package folder of each file, and the declared names of package folders.
type PackagesOfFiles = (Vec<Option<String>>, BTreeMap<String, String>);

/// Returns the package folder of each file, and the declared name of each package folder.
/// [`Language::package_folders`](crate::lang::Language::package_folders) determines which folders are packages.
pub(super) fn packages(file_set: &FileSet, repository: &str) -> Result<PackagesOfFiles, StoreError> {
    let folder = |path: &str| parent_dir(path).to_owned();
    let is_marker = |entry: &&Entry| match entry.language.package_folders {
        PackageFolders::WithFile(names) => names.contains(&file_name(&entry.row.path)),
        PackageFolders::All | PackageFolders::None => false,
    };
    let marked: BTreeSet<(&str, String)> =
        file_set.entries.iter().filter(is_marker).map(|entry| (entry.language.name, folder(&entry.row.path))).collect();
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let mut by_file = Vec::with_capacity(file_set.entries.len());
    for entry in &file_set.entries {
        let folder = folder(&entry.row.path);
        let is_package = match entry.language.package_folders {
            PackageFolders::All => true,
            PackageFolders::WithFile(_) => marked.contains(&(entry.language.name, folder.clone())),
            PackageFolders::None => false,
        };
        if !is_package {
            by_file.push(None);
            continue;
        }
        let outline = entry.outline()?;
        let own = outline.package.map(|name| outline.names.get(name));
        let plain = own.filter(|name| !name.is_empty() && !name.ends_with("_test"));
        let path = if folder.is_empty() { repository } else { &folder };
        let default = path.rsplit('/').next().unwrap_or(path);
        let name = names.entry(folder.clone()).or_insert_with(|| default.to_owned());
        if let Some(plain) = plain
            && name == default
        {
            plain.clone_into(name);
        }
        by_file.push(Some(folder));
    }
    Ok((by_file, names))
}
