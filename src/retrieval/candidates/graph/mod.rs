//! One state of the index: its edges and the facts about every symbol that ranking needs. Edges and what is asked about single
//! symbols are read in [`parts`], what a ranking needs of all symbols as a [`whole`].

mod parts;
mod path_text;
mod whole;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;

use super::lengths::Lengths;
use crate::graph::adjacency::{Adjacency, Neighbor, Neighborhoods};
use crate::model::{EdgeType, FileId, NodeId, SymbolKind};
use crate::store::{NodeMetaRow, Reader, StoreError};
use parts::Parts;
use path_text::PathText;
use whole::Whole;

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
    fn new(row: &NodeMetaRow) -> Row {
        let NodeMetaRow { kind, file, is_test, id_prefix, is_in_signature, .. } = *row;
        Row { id_prefix, file: file.unwrap_or(FileId::NONE), kind: Some(kind), is_test, is_in_signature }
    }

    #[inline]
    fn meta(self) -> Option<NodeMeta> {
        let Row { id_prefix, file, kind, is_test, .. } = self;
        Some(NodeMeta { kind: kind?, file: (file != FileId::NONE).then_some(file), is_test, id_prefix })
    }
}

/// The entry of an id without a file.
const NO_FILE: u32 = u32::MAX;

/// The graph of one state of the index.
///
/// Its functions do not fail: what can't be read is empty, and [`Graph::check`] returns the error.
#[derive(Debug, Default)]
pub struct Graph {
    /// Rows that were read of it; `None` for an empty graph.
    parts: Option<Parts>,
    /// The facts about all symbols, once they were needed.
    whole: OnceLock<Whole>,
    /// Number of nodes up to which all edges are kept in memory.
    max_kept: usize,
    /// Stands for facts that can't be read.
    empty: Whole,
    /// Id and path of every file, by id.
    files: Vec<(FileId, String)>,
    /// Index of each file in `files`, by id.
    file_indexes: Vec<u32>,
    /// The paths as a text, once one was searched.
    path_text: OnceLock<PathText>,
    /// Indexes of the files of each folder or name that was looked up.
    in_path: Mutex<HashMap<String, Arc<[u32]>>>,
}

impl Graph {
    /// Opens the graph that `reader` reads, whose paths of files are read at once.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn open(reader: Reader) -> Result<Graph, StoreError> {
        let mut graph = Graph { files: reader.file_paths()?, max_kept: whole::MAX_KEPT, ..Graph::default() };
        for (&(file, _), index) in graph.files.iter().zip(0_u32..) {
            graph.file_indexes.resize(file.index(), NO_FILE);
            graph.file_indexes.push(index);
        }
        let last = graph.files.last().map_or(FileId::NONE, |(file, _)| *file);
        graph.parts = Some(Parts::new(reader, last)?);
        Ok(graph)
    }

    /// Returns the error of a read since the last call. What the graph returned in between may be incomplete then.
    ///
    /// # Errors
    /// When the store could not be read.
    pub fn check(&self) -> Result<(), StoreError> {
        self.parts.as_ref().map_or(Ok(()), Parts::check)
    }

    /// Reads the facts about all symbols, unless that was done. Linear in symbols and edges.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn load(&self) -> Result<(), StoreError> {
        self.whole();
        self.check()
    }

    /// Returns the state of the index after moving to what was committed last.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn refresh(&self) -> Result<Option<String>, StoreError> {
        self.parts.as_ref().map_or(Ok(None), Parts::refresh)
    }

    /// Returns the facts about all symbols; reads them first if that was not done.
    #[inline]
    fn whole(&self) -> &Whole {
        self.whole.get().unwrap_or_else(|| self.read_whole())
    }

    #[cold]
    fn read_whole(&self) -> &Whole {
        let Some(parts) = &self.parts else { return &self.empty };
        let whole = parts.read(|reader| Whole::load(reader, self));
        let Some(whole) = parts.kept(whole) else { return &self.empty };
        self.whole.get_or_init(|| whole)
    }

    /// Returns what was read in parts, unless the facts about all symbols were read.
    #[inline]
    fn parts(&self) -> Option<&Parts> {
        self.parts.as_ref().filter(|parts| self.whole.get().is_none() && !parts.are_many())
    }

    /// Returns all edges, if they were read.
    #[inline]
    fn adjacency(&self) -> Option<&Adjacency> {
        self.whole.get()?.adjacency.as_ref()
    }

    /// Returns the file of a node, 0 for a symbol without one.
    fn file_of(&self, node: NodeId) -> Option<FileId> {
        match self.parts() {
            Some(parts) => parts.file_of(node),
            None => self.whole().nodes.get(node.index()).filter(|row| row.kind.is_some()).map(|row| row.file),
        }
    }

    /// Returns the upper bound of the numbers of nodes.
    pub fn nodes(&self) -> usize {
        Neighborhoods::nodes(self)
    }

    /// Returns the targets of a node's edges, sorted by number, then type.
    #[inline]
    pub fn outgoing(&self, node: NodeId) -> &[Neighbor] {
        if let Some(adjacency) = self.adjacency() {
            return adjacency.outgoing(node);
        }
        let file = self.file_of(node);
        self.parts.as_ref().zip(file).map_or(&[], |(parts, file)| parts.outgoing(node, file))
    }

    /// Returns the sources of the edges to a node, in the same order.
    #[inline]
    pub fn incoming(&self, node: NodeId) -> &[Neighbor] {
        match self.adjacency() {
            Some(adjacency) => adjacency.incoming(node),
            None => self.parts.as_ref().map_or(&[], |parts| parts.incoming(node)),
        }
    }

    /// Returns the number of terms in each column of the search index, by node.
    pub fn lengths(&self) -> &Lengths {
        &self.whole().lengths
    }

    /// Returns the index of a file in `files`.
    fn file_index(&self, file: FileId) -> Option<usize> {
        self.file_indexes.get(file.index()).copied().filter(|index| *index != NO_FILE).map(|index| index as usize)
    }

    /// Returns the facts about a symbol.
    #[inline]
    pub fn meta(&self, node: NodeId) -> Option<NodeMeta> {
        match self.parts() {
            None => self.whole().nodes.get(node.index())?.meta(),
            Some(parts) => parts.row(node)?.meta(),
        }
    }

    /// Returns whether the terms of a symbol's name count in its signature, which is stored without them.
    pub(super) fn is_in_signature(&self, node: NodeId) -> bool {
        self.whole().nodes.get(node.index()).is_some_and(|row| row.is_in_signature)
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
        if let Some(parts) = self.parts() {
            return parts.nodes_by_id_prefix(prefixes);
        }
        let nodes = NodeId::sequence().zip(&self.whole().nodes);
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
        match self.parts() {
            Some(parts) => parts.nodes_in_file(file),
            None => self.file_index(file).map_or(&[], |index| self.whole().nodes_at(index)),
        }
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
        self.files_in_path(segment).to_vec().into_iter().flat_map(|file| self.nodes_at(file)).copied()
    }

    fn nodes_at(&self, file: u32) -> &[NodeId] {
        self.whole().nodes_at(file as usize)
    }

    /// Returns the indexes of the files of [`Graph::in_path`].
    fn files_in_path(&self, segment: &str) -> Arc<[u32]> {
        let mut known = self.in_path.lock();
        let text = self.path_text.get_or_init(|| PathText::new(self.files.iter().map(|(_, path)| path.as_str())));
        let segment = segment.to_ascii_lowercase();
        Arc::clone(known.entry(segment).or_insert_with_key(|segment| text.files_with_part(segment).into()))
    }

    /// Returns the number of symbols.
    pub fn symbols(&self) -> usize {
        self.whole().symbols
    }

    /// Returns the share of external symbols among all symbols.
    pub fn external_ratio(&self) -> f64 {
        self.whole().externals as f64 / self.symbols().max(1) as f64
    }

    /// Returns the definition of what a symbol only declares.
    pub fn declared(&self, node: NodeId) -> Option<NodeId> {
        if let Some(whole) = self.whole.get() {
            return whole.links.declared(node);
        }
        let declares = |neighbor: &&Neighbor| neighbor.edge_type == EdgeType::Declares;
        self.outgoing(node).iter().filter(declares).map(|neighbor| neighbor.node).next_back()
    }

    /// Returns the type that a symbol is a member of.
    pub fn container(&self, node: NodeId) -> Option<NodeId> {
        let member_of = |neighbor: &&Neighbor| neighbor.edge_type == EdgeType::MemberOf;
        let owner = match self.whole.get() {
            Some(whole) => whole.links.owners.get(node),
            None => self.outgoing(node).iter().find(member_of).map(|neighbor| neighbor.node),
        };
        owner.filter(|owner| self.meta(*owner).is_some_and(|meta| meta.kind.is_type()))
    }

    /// Calls `visit` with every symbol that is a member of another one, and that one.
    pub fn for_each_member(&self, mut visit: impl FnMut(NodeId, NodeId)) {
        self.whole().links.owners.iter().for_each(|(node, owner)| visit(node, owner));
    }

    /// Returns the members of a type.
    pub fn members(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let contains = |neighbor: &&Neighbor| neighbor.edge_type == EdgeType::Contains;
        self.outgoing(node).iter().filter(contains).map(|neighbor| neighbor.node)
    }

    /// Returns the number of uses of a symbol: calls, references, type annotations, field accesses, imports.
    pub fn popularity(&self, node: NodeId) -> usize {
        match self.whole.get() {
            Some(whole) => whole.links.uses(node),
            None => self.incoming(node).iter().filter(|neighbor| neighbor.edge_type.adds_popularity()).count(),
        }
    }
}

impl Neighborhoods for Graph {
    fn nodes(&self) -> usize {
        self.parts.as_ref().map_or(0, |parts| parts.capacity)
    }

    #[inline]
    fn outgoing(&self, node: NodeId) -> &[Neighbor] {
        Graph::outgoing(self, node)
    }

    #[inline]
    fn incoming(&self, node: NodeId) -> &[Neighbor] {
        Graph::incoming(self, node)
    }

    fn least_degree(&self, node: NodeId) -> f64 {
        self.whole.get().map_or(0.0, |whole| whole.links.least_degree(node))
    }
}
