//! Facts about every symbol, such as its kind and degree, and the edges of a small graph. The edges of a large one are read in
//! parts.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use super::{Graph, Row};
use crate::candidates::lengths::Lengths;
use crate::graph::adjacency::{Adjacency, AdjacencyBuilder};
use crate::model::{NodeId, SymbolKind};
use crate::rank::node_set::{NodeMap, NodeMapBuilder};
use crate::store::{NodeMetaRow, Reader, StoreError, Sums, SumsBlock, WEIGHT_UNITS};

/// The facts about all symbols.
#[derive(Debug, Default)]
pub(super) struct Whole {
    pub(super) links: Links,
    /// All edges of a small graph.
    pub(super) adjacency: Option<Adjacency>,
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

/// Sums over the edges of each node, by node.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// Walk weights of its edges in units of 1 / [`WEIGHT_UNITS`], each rounded down.
    degrees: Vec<u32>,
    /// Number of its uses; 0 for a number that does not fit.
    uses: Vec<u16>,
    /// Those numbers.
    more_uses: HashMap<NodeId, u32>,
    pub(super) owners: Owners,
    /// The definitions of declarations.
    declared: NodeMap,
}

/// The owners of members. No symbol is a member of several.
#[derive(Debug, Default)]
pub(super) struct Owners {
    /// The difference of each node's number to that of its owner, which most members follow closely; 0 for no owner, and for one
    /// elsewhere.
    before: Vec<u16>,
    elsewhere: HashMap<NodeId, NodeId>,
}

impl Owners {
    fn new(nodes: usize) -> Owners {
        Owners { before: vec![0; nodes], elsewhere: HashMap::new() }
    }

    /// Sets the owner of a node, if it is one of these.
    fn set(&mut self, (member, owner): (NodeId, NodeId)) {
        let Some(before) = self.before.get_mut(member.index()) else { return };
        let distance = member.get().checked_sub(owner.get()).and_then(|distance| u16::try_from(distance).ok());
        *before = distance.unwrap_or_default();
        if *before == 0 {
            self.elsewhere.insert(member, owner);
        }
    }

    /// Returns the owner of a node.
    #[inline]
    pub(super) fn get(&self, member: NodeId) -> Option<NodeId> {
        match self.before.get(member.index()).copied().map(u32::from)? {
            0 => self.elsewhere.get(&member).copied(),
            before => Some(NodeId::new(member.get() - before)),
        }
    }

    /// Returns each member with its owner, by number.
    pub(super) fn iter(&self) -> impl Iterator<Item = (NodeId, NodeId)> + '_ {
        let members = NodeId::sequence().take(self.before.len());
        members.filter_map(|member| Some((member, self.get(member)?)))
    }
}

/// Number of nodes up to which all edges are kept: a walk reaches most files of such a graph, and reading these one by one takes
/// longer.
pub(super) const MAX_KEPT: usize = 250_000;

impl Links {
    /// Reads the sums over the edges of each of `capacity` nodes. Edges of others, which only a damaged or forged index has, do not
    /// count.
    fn read(reader: &Reader, capacity: usize) -> Result<Links, StoreError> {
        let (degrees, uses, owners) = (vec![0; capacity], vec![0; capacity], Owners::new(capacity));
        let mut links = Links { degrees, uses, owners, ..Links::default() };
        let mut declared = NodeMapBuilder::default();
        let is_inside = |(source, target): &&(NodeId, NodeId)| source.max(target).index() < capacity;
        reader.for_each_sums_block(|block| {
            links.add(block);
            block.members().iter().filter(is_inside).for_each(|pair| links.owners.set(*pair));
            block.declarations().iter().filter(is_inside).for_each(|pair| declared.push(*pair));
        })?;
        Ok(Links { declared: declared.build(), ..links })
    }

    fn add(&mut self, block: &SumsBlock) {
        for (node, Sums { weight, uses }) in block.sums() {
            let Some(degree) = self.degrees.get_mut(node.index()) else { break };
            *degree = weight;
            match u16::try_from(uses) {
                Ok(uses) => self.uses[node.index()] = uses,
                Err(_) => drop(self.more_uses.insert(node, uses)),
            }
        }
    }

    /// Returns a lower bound of the sum of the walk weights of a node's edges.
    pub(super) fn least_degree(&self, node: NodeId) -> f64 {
        self.degrees.get(node.index()).map_or(0.0, |degree| f64::from(*degree) / WEIGHT_UNITS)
    }

    /// Returns the number of uses of a node.
    pub(super) fn uses(&self, node: NodeId) -> usize {
        let uses = self.uses.get(node.index()).copied().unwrap_or_default();
        usize::from(uses) + self.more_uses.get(&node).map_or(0, |more| *more as usize)
    }

    /// Returns the definition of what a symbol only declares.
    pub(super) fn declared(&self, node: NodeId) -> Option<NodeId> {
        self.declared.get(node)
    }
}

/// Checks the tables of the store at `path` that a ranking reads in parts, and reads the sums over the edges, and the edges of a
/// small graph; `None` if another state of the index was written meanwhile.
fn links_beside(
    path: &Path,
    state: Option<&str>,
    sizes: (usize, usize),
) -> Result<Option<(Links, Option<Adjacency>)>, StoreError> {
    let reader = Reader::open(path)?;
    reader.check_parts()?;
    let is_same = state.is_some() && reader.state()?.as_deref() == state;
    is_same.then(|| links(&reader, sizes)).transpose()
}

/// Reads the sums over the edges of a graph of `capacity` nodes, and the edges if it has at most `max_kept`.
fn links(reader: &Reader, (capacity, max_kept): (usize, usize)) -> Result<(Links, Option<Adjacency>), StoreError> {
    let adjacency = if capacity <= max_kept {
        let mut builder = AdjacencyBuilder::new(capacity);
        reader.for_each_file_edges(|edges| builder.add(edges))?;
        Some(builder.build())
    } else {
        None
    };
    Ok((Links::read(reader, capacity)?, adjacency))
}

impl Whole {
    /// Reads the facts. Linear in symbols and edges.
    pub(super) fn load(reader: &Reader, graph: &Graph) -> Result<Whole, StoreError> {
        let capacity = reader.node_capacity()? as usize;
        let (path, state, sizes) = (reader.path(), reader.state()?, (capacity, graph.max_kept));
        let mut beside = Ok(None);
        // A caller on a thread of the pool runs other jobs of the pool while it waits here. None of them needs this graph: its
        // reader is that of one ranker, which no two threads share, and a ranking loads the graph before it begins jobs.
        let whole = rayon::in_place_scope(|scope| {
            scope.spawn(|_| beside = links_beside(path, state.as_deref(), sizes));
            Whole::without_links(reader, graph, capacity)
        })?;
        let (links, adjacency) = match beside {
            Ok(Some(links)) => links,
            // Another index was written, or the file was deleted: this reader still has the state that was asked for.
            Ok(None) | Err(StoreError::Missing { .. }) => {
                reader.check_parts()?;
                links(reader, sizes)?
            }
            Err(error) => return Err(error),
        };
        Ok(Whole { links, adjacency, ..whole })
    }

    fn without_links(reader: &Reader, graph: &Graph, capacity: usize) -> Result<Whole, StoreError> {
        let mut whole = Whole {
            nodes: vec![Row::default(); capacity],
            lengths: Lengths::new(capacity),
            file_nodes: Vec::with_capacity(capacity),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::adjacency::Neighborhoods;
    use crate::index::{IndexOptions, index};

    #[test]
    fn owners_at_any_distance_are_kept() {
        let mut owners = Owners::new(200_000);
        let pairs = [(5, 4), (6, 4), (70_000, 4_465), (70_001, 4_465), (9, 12), (80_000, 1), (80_000, 79_000)];
        let pairs = pairs.map(|(member, owner)| (NodeId::new(member), NodeId::new(owner)));
        pairs.into_iter().for_each(|pair| owners.set(pair));
        owners.set((NodeId::new(200_000), NodeId::new(1)));
        let mut found: Vec<(NodeId, NodeId)> = pairs.into_iter().filter(|(_, owner)| owner.get() != 1).collect();
        found.sort_unstable();
        assert_eq!(owners.iter().collect::<Vec<_>>(), found);
        assert_eq!([0, 4, 200_000].map(|node| owners.get(NodeId::new(node))), [None; 3]);
    }

    #[test]
    fn edges_that_are_not_kept_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
        std::fs::create_dir(&root).unwrap();
        for number in 0..20 {
            let next = (number + 1) % 20;
            let text = format!(
                "from m{next} import run{next}\n\nclass C{number}:\n    def go(self): return run{next}()\n\n\
                 def run{number}(): return C{number}().go()\n"
            );
            std::fs::write(root.join(format!("m{number}.py")), text).unwrap();
        }
        let options = IndexOptions { database: Some(database.clone()), jobs: Some(1), ..IndexOptions::default() };
        index(&root, &options, &|_| {}).unwrap();
        let [kept, large] = [usize::MAX, 0].map(|max_kept| {
            let mut graph = Graph::open(Reader::open(&database).unwrap()).unwrap();
            graph.max_kept = max_kept;
            graph.load().unwrap();
            graph
        });
        let nodes = Reader::open(&database).unwrap().node_ids().unwrap();
        assert!(nodes.len() > 60);
        for node in nodes {
            assert_eq!(large.outgoing(node), kept.outgoing(node), "targets of {node}");
            assert_eq!(large.incoming(node), kept.incoming(node), "sources of {node}");
            let facts = |graph: &Graph| (graph.declared(node), graph.container(node), graph.popularity(node));
            assert_eq!(facts(&large), facts(&kept), "{node}");
            assert_eq!(large.least_degree(node), kept.least_degree(node), "{node}");
        }
        large.check().unwrap();
    }
}
