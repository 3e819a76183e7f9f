//! One state of the index in memory: its adjacency and the facts about every symbol that ranking needs.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;

use super::lengths::Lengths;
use crate::graph::adjacency::{Adjacency, AdjacencyBuilder, Neighbor};
use crate::model::{EdgeType, FileId, NodeId, SymbolKind};
use crate::store::{NodeMetaRow, Reader, StoreError};

/// Facts about a symbol that ranking needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeMeta {
    pub kind: SymbolKind,
    /// `None` for a symbol outside the repository.
    pub file: Option<FileId>,
    pub is_test: bool,
    /// First bytes of the symbol's identity. Breaks ties independently of node numbers.
    pub id_prefix: u64,
}

/// [`NodeMeta`] in 16 bytes; without a kind where there is no symbol.
#[derive(Debug, Clone, Copy, Default)]
struct Row {
    id_prefix: u64,
    /// [`FileId::NONE`] for a symbol outside the repository.
    file: FileId,
    kind: Option<SymbolKind>,
    is_test: bool,
    is_in_signature: bool,
}

impl Row {
    #[inline]
    fn meta(self) -> Option<NodeMeta> {
        let Row { id_prefix, file, kind, is_test, .. } = self;
        Some(NodeMeta { kind: kind?, file: (file != FileId::NONE).then_some(file), is_test, id_prefix })
    }
}

/// The entry of an id without a file.
const NO_FILE: u32 = u32::MAX;

/// The graph of one state of the index.
#[derive(Debug, Default)]
pub struct Graph {
    pub adjacency: Adjacency,
    /// Terms in each column of the search index, by node.
    pub lengths: Lengths,
    nodes: Vec<Row>,
    declared: Declared,
    /// Id and path of every file, by id.
    files: Vec<(FileId, String)>,
    /// Index of each file in `files`, by id.
    file_indexes: Vec<u32>,
    /// Every node that belongs to a file, grouped by file.
    file_nodes: Vec<NodeId>,
    /// Range of each file's nodes in `file_nodes`, by the file's index.
    file_ranges: Vec<Range<usize>>,
    /// Indexes of the files with each folder or name in their path, in lower case; built when first used.
    segments: OnceLock<HashMap<Box<str>, Vec<u32>>>,
    symbols: usize,
    externals: usize,
}

/// Definitions by their declarations.
type Declared = HashMap<NodeId, NodeId>;

/// Reads the edges of a graph of `capacity` nodes.
fn adjacency_of(reader: &Reader, capacity: usize) -> Result<(Adjacency, Declared), StoreError> {
    let mut builder = AdjacencyBuilder::new(capacity);
    let mut declared = Declared::new();
    reader.for_each_file_edges(|edges| {
        let declaring = edges.iter().filter(|edge| edge.edge_type == EdgeType::Declares);
        declared.extend(declaring.map(|edge| (edge.source, edge.target)));
        builder.add(edges);
    })?;
    Ok((builder.build(), declared))
}

/// Checks the tables of the store at `path` that a ranking reads in parts, and reads the edges; `None` if another state of the
/// index was written meanwhile.
fn edges_beside(
    path: &Path,
    state: Option<&str>,
    capacity: usize,
) -> Result<Option<(Adjacency, Declared)>, StoreError> {
    let reader = Reader::open(path)?;
    reader.check_parts()?;
    let is_same = state.is_some() && reader.state()?.as_deref() == state;
    is_same.then(|| adjacency_of(&reader, capacity)).transpose()
}

impl Graph {
    /// Loads the whole graph. Linear in symbols and edges.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn load(reader: &Reader) -> Result<Graph, StoreError> {
        let capacity = reader.node_capacity()? as usize;
        let (path, state) = (reader.path(), reader.state()?);
        let mut edges = Ok(None);
        // A caller on a thread of the pool runs other jobs of the pool while it waits here.
        let graph = rayon::in_place_scope(|scope| {
            scope.spawn(|_| edges = edges_beside(path, state.as_deref(), capacity));
            Graph::without_edges(reader, capacity)
        })?;
        let (adjacency, declared) = edges?.map_or_else(|| adjacency_of(reader, capacity), Ok)?;
        Ok(Graph { adjacency, declared, ..graph })
    }

    fn without_edges(reader: &Reader, capacity: usize) -> Result<Graph, StoreError> {
        let mut graph = Graph {
            nodes: vec![Row::default(); capacity],
            lengths: Lengths::new(capacity),
            files: reader.file_paths()?,
            ..Graph::default()
        };
        for (&(file, _), index) in graph.files.iter().zip(0_u32..) {
            graph.file_indexes.resize(file.index(), NO_FILE);
            graph.file_indexes.push(index);
        }
        graph.file_ranges = vec![0..0; graph.files.len()];
        reader.for_each_node_meta(|row| graph.insert(row))?;
        Ok(graph)
    }

    /// Inserts a symbol. The symbols of a file must be inserted consecutively.
    fn insert(&mut self, row: NodeMetaRow) {
        self.symbols += 1;
        self.externals += usize::from(row.kind == SymbolKind::External);
        let index = row.file.and_then(|file| self.file_index(file));
        if let Some(range) = index.and_then(|index| self.file_ranges.get_mut(index)) {
            if range.start == range.end {
                *range = self.file_nodes.len()..self.file_nodes.len();
            }
            range.end += 1;
            self.file_nodes.push(row.node);
        }
        self.lengths.set(row.node, row.lengths);
        if let Some(known) = self.nodes.get_mut(row.node.index()) {
            let NodeMetaRow { kind, file, is_test, id_prefix, is_in_signature, .. } = row;
            let file = file.unwrap_or(FileId::NONE);
            *known = Row { id_prefix, file, kind: Some(kind), is_test, is_in_signature };
        }
    }

    /// Returns the index of a file in `files`.
    fn file_index(&self, file: FileId) -> Option<usize> {
        self.file_indexes.get(file.index()).copied().filter(|index| *index != NO_FILE).map(|index| index as usize)
    }

    /// Returns the facts about a symbol.
    #[inline]
    pub fn meta(&self, node: NodeId) -> Option<NodeMeta> {
        self.nodes.get(node.index())?.meta()
    }

    /// Returns whether the terms of a symbol's name count in its signature, which is stored without them.
    pub(super) fn is_in_signature(&self, node: NodeId) -> bool {
        self.nodes.get(node.index()).is_some_and(|row| row.is_in_signature)
    }

    /// Returns `test_factor` for a test, and 1 for other symbols.
    pub fn factor(&self, node: NodeId, test_factor: f64) -> f64 {
        if self.meta(node).is_some_and(|meta| meta.is_test) { test_factor } else { 1.0 }
    }

    /// Returns the first bytes of a symbol's identity, which break ties between symbols.
    pub fn id_prefix(&self, node: NodeId) -> u64 {
        self.meta(node).map_or(u64::MAX, |meta| meta.id_prefix)
    }

    /// Returns the symbols whose identities begin with one of these prefixes, by number. Scans all symbols.
    pub fn nodes_by_id_prefix(&self, prefixes: &HashSet<u64>) -> Vec<NodeId> {
        let nodes = NodeId::sequence().zip(&self.nodes);
        let matching = nodes.filter(|(_, row)| row.kind.is_some() && prefixes.contains(&row.id_prefix));
        matching.map(|(node, _)| node).collect()
    }

    /// Returns the path of a symbol's file.
    pub fn path(&self, node: NodeId) -> Option<&str> {
        self.file_path(self.meta(node)?.file?)
    }

    /// Returns the id and path of every file, by id.
    pub fn files(&self) -> &[(FileId, String)] {
        &self.files
    }

    /// Returns the path of a file.
    pub fn file_path(&self, file: FileId) -> Option<&str> {
        self.files.get(self.file_index(file)?).map(|(_, path)| path.as_str())
    }

    /// Returns the symbols of a file.
    pub fn nodes_in_file(&self, file: FileId) -> &[NodeId] {
        let range = self.file_index(file).and_then(|index| self.file_ranges.get(index));
        range.map_or(&[], |range| &self.file_nodes[range.clone()])
    }

    /// Returns the symbols of the files whose path has `segment` as a folder, or as the file's name with or without
    /// extension. Shortest paths first, the symbols of a file ordered by identity.
    pub fn in_path(&self, segment: &str) -> impl Iterator<Item = NodeId> {
        let mut files = self.files_in_path(segment).to_vec();
        let path = |file: u32| self.files.get(file as usize).map_or("", |(_, path)| path.as_str());
        files.sort_unstable_by_key(|file| (path(*file).len(), path(*file)));
        files.into_iter().flat_map(|file| {
            let mut nodes = self.nodes_at(file).to_vec();
            nodes.sort_unstable_by_key(|node| self.id_prefix(*node));
            nodes
        })
    }

    /// Returns the symbols of [`Graph::in_path`], in the order of their numbers.
    pub fn in_path_unordered(&self, segment: &str) -> impl Iterator<Item = NodeId> {
        self.files_in_path(segment).iter().flat_map(|file| self.nodes_at(*file)).copied()
    }

    fn nodes_at(&self, file: u32) -> &[NodeId] {
        self.file_ranges.get(file as usize).map_or(&[], |range| &self.file_nodes[range.clone()])
    }

    /// Returns the indexes of the files of [`Graph::in_path`].
    fn files_in_path(&self, segment: &str) -> &[u32] {
        let segments = self.segments.get_or_init(|| segments(&self.files));
        segments.get(segment.to_ascii_lowercase().as_str()).map_or(&[], Vec::as_slice)
    }

    /// Returns the number of symbols.
    pub fn symbols(&self) -> usize {
        self.symbols
    }

    /// Returns the share of external symbols among all symbols.
    pub fn phantom_ratio(&self) -> f64 {
        self.externals as f64 / self.symbols.max(1) as f64
    }

    /// Returns the definition of what a symbol only declares.
    pub fn declared(&self, node: NodeId) -> Option<NodeId> {
        self.declared.get(&node).copied()
    }

    /// Returns the type that a symbol is a member of.
    pub fn container(&self, node: NodeId) -> Option<NodeId> {
        let member_of = |neighbor: &&Neighbor| neighbor.edge_type == EdgeType::MemberOf;
        let containers = self.adjacency.outgoing(node).iter().filter(member_of).map(|neighbor| neighbor.node);
        let container = containers.min_by_key(|container| self.id_prefix(*container))?;
        self.meta(container).filter(|meta| meta.kind.is_type()).map(|_| container)
    }

    /// Returns the members of a type.
    pub fn members(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let contains = |neighbor: &&Neighbor| neighbor.edge_type == EdgeType::Contains;
        self.adjacency.outgoing(node).iter().filter(contains).map(|neighbor| neighbor.node)
    }

    /// Returns the number of uses of a symbol: calls, references, type annotations, field accesses and the like.
    pub fn popularity(&self, node: NodeId) -> usize {
        use EdgeType::{AccessesField, Calls, Extends, Implements, Imports, References, TypeHintOf};
        let uses = [Calls, References, TypeHintOf, Extends, Implements, Imports, AccessesField];
        self.adjacency.incoming(node).iter().filter(|neighbor| uses.contains(&neighbor.edge_type)).count()
    }
}

/// Returns the indexes of the files with each folder or name in their path, in lower case and with and without
/// what follows its first dot.
fn segments(files: &[(FileId, String)]) -> HashMap<Box<str>, Vec<u32>> {
    let mut segments: HashMap<Box<str>, Vec<u32>> = HashMap::new();
    for (index, (_, path)) in (0..).zip(files) {
        let path = path.to_ascii_lowercase();
        for part in path.split('/') {
            let stem = part.split('.').next().filter(|stem| stem.len() < part.len());
            for segment in [Some(part), stem].into_iter().flatten() {
                match segments.get_mut(segment) {
                    Some(found) if found.last() == Some(&index) => {}
                    Some(found) => found.push(index),
                    None => {
                        segments.insert(segment.into(), vec![index]);
                    }
                }
            }
        }
    }
    segments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_segments_match() {
        let files = ["src/sql/store.rs", "src/src/a.test.ts"].map(|path| (FileId::new(1), path.to_owned()));
        let segments = segments(&files);
        for segment in ["sql", "store", "store.rs"] {
            assert_eq!(segments.get(segment), Some(&vec![0]), "{segment}");
        }
        assert_eq!((&segments["src"], &segments["a"]), (&vec![0, 1], &vec![1]));
        for segment in ["sr", "rs", "stores", "a.test", ""] {
            assert!(!segments.contains_key(segment), "{segment}");
        }
        let graph = Graph { files: files.to_vec(), ..Graph::default() };
        assert_eq!(graph.files_in_path("Store"), [0]);
    }
}
