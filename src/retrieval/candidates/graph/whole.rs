//! The whole graph in memory.

use std::ops::Range;
use std::path::Path;

use super::{Graph, Row};
use crate::candidates::lengths::Lengths;
use crate::graph::adjacency::{Adjacency, AdjacencyBuilder};
use crate::model::{NodeId, SymbolKind};
use crate::store::{NodeMetaRow, Reader, StoreError};

/// All edges, and the facts about all symbols.
#[derive(Debug, Default)]
pub(super) struct Whole {
    pub(super) adjacency: Adjacency,
    /// Terms in each column of the search index, by node.
    pub(super) lengths: Lengths,
    pub(super) nodes: Vec<Row>,
    /// Every node that belongs to a file, grouped by file.
    file_nodes: Vec<NodeId>,
    /// Range of each file's nodes in `file_nodes`, by the file's index.
    file_ranges: Vec<Range<usize>>,
    pub(super) symbols: usize,
    pub(super) externals: usize,
}

/// Reads the edges of a graph of `capacity` nodes.
fn adjacency_of(reader: &Reader, capacity: usize) -> Result<Adjacency, StoreError> {
    let mut builder = AdjacencyBuilder::new(capacity);
    reader.for_each_file_edges(|edges| builder.add(edges))?;
    Ok(builder.build())
}

/// Checks the tables of the store at `path` that a ranking reads in parts, and reads the edges; `None` if another state of the
/// index was written meanwhile.
fn edges_beside(path: &Path, state: Option<&str>, capacity: usize) -> Result<Option<Adjacency>, StoreError> {
    let reader = Reader::open(path)?;
    reader.check_parts()?;
    let is_same = state.is_some() && reader.state()?.as_deref() == state;
    is_same.then(|| adjacency_of(&reader, capacity)).transpose()
}

impl Whole {
    /// Reads the graph. Linear in symbols and edges.
    pub(super) fn load(reader: &Reader, graph: &Graph) -> Result<Whole, StoreError> {
        let capacity = reader.node_capacity()? as usize;
        let (path, state) = (reader.path(), reader.state()?);
        let mut edges = Ok(None);
        // A caller on a thread of the pool runs other jobs of the pool while it waits here. None of them needs this graph: its
        // reader is that of one ranker, which no two threads share, and a ranking loads the graph before it begins jobs.
        let whole = rayon::in_place_scope(|scope| {
            scope.spawn(|_| edges = edges_beside(path, state.as_deref(), capacity));
            Whole::without_edges(reader, graph, capacity)
        })?;
        let adjacency = match edges {
            Ok(Some(adjacency)) => adjacency,
            // Another index was written, or the file was deleted: this reader still has the state that was asked for.
            Ok(None) | Err(StoreError::Missing { .. }) => {
                reader.check_parts()?;
                adjacency_of(reader, capacity)?
            }
            Err(error) => return Err(error),
        };
        Ok(Whole { adjacency, ..whole })
    }

    fn without_edges(reader: &Reader, graph: &Graph, capacity: usize) -> Result<Whole, StoreError> {
        let mut whole = Whole {
            nodes: vec![Row::default(); capacity],
            lengths: Lengths::new(capacity),
            file_ranges: vec![0..0; graph.files.len()],
            ..Whole::default()
        };
        reader.for_each_node_meta(|row| whole.insert(&row, row.file.and_then(|file| graph.file_index(file))))?;
        Ok(whole)
    }

    /// Inserts a symbol of the file with this index. The symbols of a file must be inserted consecutively.
    fn insert(&mut self, row: &NodeMetaRow, file: Option<usize>) {
        self.symbols += 1;
        self.externals += usize::from(row.kind == SymbolKind::External);
        if let Some(range) = file.and_then(|index| self.file_ranges.get_mut(index)) {
            if range.start == range.end {
                *range = self.file_nodes.len()..self.file_nodes.len();
            }
            range.end += 1;
            self.file_nodes.push(row.node);
        }
        self.lengths.set(row.node, row.lengths);
        if let Some(known) = self.nodes.get_mut(row.node.index()) {
            *known = Row::new(row);
        }
    }

    /// Returns the nodes of the file with this index.
    pub(super) fn nodes_at(&self, file: usize) -> &[NodeId] {
        self.file_ranges.get(file).map_or(&[], |range| &self.file_nodes[range.clone()])
    }
}
