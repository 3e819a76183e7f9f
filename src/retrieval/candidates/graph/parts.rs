//! The rows of the index that were read so far: facts and edges of single files and blocks of nodes.

use std::collections::HashSet;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;

use super::Row;
use crate::graph::adjacency::{Neighbor, Rows};
use crate::model::{FileId, NodeId};
use crate::store::{FileMeta, NodeBlock, Reader, StoreError};

/// Share of all files, as a divisor, from which reading the facts about all symbols is faster than reading more of them in parts.
const WHOLE_SHARE: usize = 8;
/// Number of files that are read in parts in any case.
const FEW_FILES: usize = 64;

/// Parts of a graph, each read when it is first needed.
#[derive(Debug)]
pub(super) struct Parts {
    reader: Mutex<Reader>,
    pub(super) capacity: usize,
    blocks: Box<[OnceLock<Box<Block>>]>,
    /// By the file's id.
    files: Box<[OnceLock<Box<FilePart>>]>,
    /// The edges from the nodes of a file, by the file's id.
    outgoing: Box<[OnceLock<Box<Rows>>]>,
    /// Number of files with edges that were read.
    read: AtomicUsize,
    /// The first error since the last call of [`Parts::check`].
    failure: Mutex<Option<StoreError>>,
}

#[derive(Debug)]
struct Block {
    block: NodeBlock,
    incoming: OnceLock<Rows>,
}

#[derive(Debug)]
struct FilePart {
    meta: FileMeta,
    nodes: Vec<NodeId>,
}

impl Parts {
    /// Returns parts of an index with files of ids up to `last_file`.
    pub(super) fn new(reader: Reader, last_file: FileId) -> Result<Parts, StoreError> {
        let capacity = reader.node_capacity()?;
        let blocks = (0..=NodeBlock::number_of(NodeId::new(capacity))).map(|_| OnceLock::new()).collect();
        Ok(Parts {
            reader: Mutex::new(reader),
            capacity: capacity as usize,
            blocks,
            files: (0..=last_file.get()).map(|_| OnceLock::new()).collect(),
            outgoing: (0..=last_file.get()).map(|_| OnceLock::new()).collect(),
            read: AtomicUsize::new(0),
            failure: Mutex::new(None),
        })
    }

    /// Returns the error of a read since the last call.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        match self.failure.lock().take() {
            None => Ok(()),
            Some(error) => Err(error),
        }
    }

    /// Returns whether so much was read that the facts about all symbols should be.
    pub(super) fn are_many(&self) -> bool {
        self.read.load(Ordering::Relaxed) > FEW_FILES.max(self.files.len() / WHOLE_SHARE)
    }

    /// Calls `read` with the reader. `read` reads no other part.
    pub(super) fn read<T>(&self, read: impl FnOnce(&Reader) -> Result<T, StoreError>) -> Result<T, StoreError> {
        read(&self.reader.lock())
    }

    /// Returns the state of the index after moving to what was committed last.
    pub(super) fn refresh(&self) -> Result<Option<String>, StoreError> {
        self.read(|reader| {
            reader.refresh()?;
            reader.state()
        })
    }

    /// Keeps an error until the next call of [`Parts::check`].
    pub(super) fn kept<T>(&self, result: Result<T, StoreError>) -> Option<T> {
        result
            .map_err(|error| {
                self.failure.lock().get_or_insert(error);
            })
            .ok()
    }

    /// Returns what a cell has; reads it first if it is empty.
    fn get<'a, T>(&self, cell: &'a OnceLock<T>, read: impl FnOnce() -> Result<T, StoreError>) -> Option<&'a T> {
        match cell.get() {
            Some(value) => Some(value),
            None => self.kept(read()).map(|value| cell.get_or_init(|| value)),
        }
    }

    fn block(&self, node: NodeId) -> Option<&Block> {
        let number = NodeBlock::number_of(node);
        let cell = self.blocks.get(number as usize).filter(|_| node.index() < self.capacity)?;
        let read = || {
            let block = self.read(|reader| reader.node_block(number))?;
            Ok(Box::new(Block { block, incoming: OnceLock::new() }))
        };
        self.get(cell, read).map(|block| &**block)
    }

    fn file(&self, file: FileId) -> Option<&FilePart> {
        let read = || {
            let meta = self.read(|reader| reader.node_meta_of_file(file))?;
            let nodes = meta.rows.iter().map(|row| row.node).collect();
            Ok(Box::new(FilePart { meta, nodes }))
        };
        self.get(self.files.get(file.index())?, read).map(|part| &**part)
    }

    /// Returns the nodes of a file, by number.
    pub(super) fn nodes_in_file(&self, file: FileId) -> &[NodeId] {
        self.file(file).map_or(&[], |part| &part.nodes)
    }

    /// Returns the facts about a node.
    pub(super) fn row(&self, node: NodeId) -> Option<Row> {
        let part = self.file(self.file_of(node)?)?;
        let index = part.nodes.binary_search(&node).ok()?;
        Some(Row::new(&part.meta.rows[index]))
    }

    /// Returns the file of a node.
    pub(super) fn file_of(&self, node: NodeId) -> Option<FileId> {
        self.block(node)?.block.file_of(node)
    }

    /// Returns the edges from the nodes of a file.
    fn edges_of(&self, file: FileId) -> Option<&Rows> {
        let read = || {
            self.read.fetch_add(1, Ordering::Relaxed);
            let edges = self.read(|reader| reader.edges_of_file(file, reader.layers_in_meta(file)?))?;
            let inside = edges.iter().filter(|edge| edge.target.index() < self.capacity);
            Ok(Box::new(Rows::new(inside.map(|edge| (edge.source, Neighbor::of_source(edge))).collect())))
        };
        self.get(self.outgoing.get(file.index())?, read).map(|rows| &**rows)
    }

    /// Returns the targets of the edges of a node of this file.
    pub(super) fn outgoing(&self, node: NodeId, file: FileId) -> &[Neighbor] {
        self.edges_of(file).map_or(&[], |rows| rows.row(node))
    }

    /// Returns the sources of the edges to a node.
    pub(super) fn incoming(&self, node: NodeId) -> &[Neighbor] {
        let Some(block) = self.block(node) else { return &[] };
        self.get(&block.incoming, || self.edges_to(&block.block)).map_or(&[], |rows| rows.row(node))
    }

    /// Reads the edges to the nodes of a block.
    fn edges_to(&self, block: &NodeBlock) -> Result<Rows, StoreError> {
        let edges = self.read(|reader| reader.edges_to(block))?;
        let inside = edges.iter().filter(|edge| edge.source.index() < self.capacity);
        let mut entries: Vec<(NodeId, Neighbor)> =
            inside.map(|edge| (edge.target, Neighbor::of_target(edge))).collect();
        let nodes = block.nodes();
        for rows in block.files().into_iter().filter_map(|file| self.edges_of(file)) {
            let within = rows.entries(nodes.clone()).filter(|(_, edge)| nodes.contains(&edge.node));
            entries.extend(within.map(|(source, edge)| (edge.node, edge.reversed(source))));
        }
        Ok(Rows::new(entries))
    }

    /// Returns the nodes whose identities begin with one of these prefixes, by number. Reads the facts about all nodes.
    pub(super) fn nodes_by_id_prefix(&self, prefixes: &HashSet<u64>) -> Vec<NodeId> {
        let mut nodes = Vec::new();
        let read = self.read(|reader| {
            reader.for_each_node_meta(|row| nodes.extend(prefixes.contains(&row.id_prefix).then_some(row.node)))
        });
        self.kept(read);
        nodes.sort_unstable();
        nodes
    }
}
