//! One state of the index in memory: adjacency and the few facts about every symbol that ranking needs.

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use crate::graph::adjacency::{Adjacency, Builder};
use crate::model::{EdgeType, SymbolKind};
use crate::rank::bm25f::Posting;
use crate::retrieve::postings::Postings;
use crate::retrieve::tuning;
use crate::retrieve::walks::Walks;
use crate::store::{NodeMetaRow, PackedEdges, Reader, SEARCH_COLUMNS, StoreError, for_each_file_edges, max_edge_count};

/// A symbol as ranking sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    pub kind: SymbolKind,
    /// Number of its file; `None` outside the repository.
    pub file: Option<u32>,
    pub is_test: bool,
    /// First bytes of its identity: breaks ties the same way however nodes happen to be numbered.
    pub tie: u64,
}

/// Stands for the place of a file that does not exist.
const NOWHERE: u32 = u32::MAX;

/// The graph of one state of the index.
#[derive(Debug, Default)]
pub struct Graph {
    pub adjacency: Adjacency,
    /// Terms in each column of the search index, by node.
    pub lengths: Vec<[u32; SEARCH_COLUMNS]>,
    heads: Vec<Option<Head>>,
    /// Id and path of every file, by id.
    files: Vec<(u32, String)>,
    /// Where each file stands among `files`, by id.
    places: Vec<u32>,
    /// Every node that belongs to a file, those of a file together.
    members: Vec<u32>,
    /// Which of them are a file's, by its place.
    of_file: Vec<Range<usize>>,
    symbols: usize,
    externals: usize,
    postings: Postings,
    pub(super) walks: Walks,
}

fn adjacency_of(packed: &[PackedEdges], database: &Path, capacity: usize) -> Result<Adjacency, StoreError> {
    let mut builder = Builder::new(capacity, max_edge_count(packed));
    for_each_file_edges(packed, database, |edges| builder.add(edges))?;
    Ok(builder.build())
}

impl Graph {
    /// Loads the whole graph. Linear in symbols and edges.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn load(reader: &Reader) -> Result<Graph, StoreError> {
        let capacity = reader.node_capacity()? as usize;
        let (packed, database) = (reader.packed_edges()?, reader.path());
        let mut adjacency = Ok(Adjacency::default());
        // Waiting here does other work of the pool: the caller may be one of its threads.
        let graph = rayon::in_place_scope(|scope| {
            scope.spawn(|_| adjacency = adjacency_of(&packed, database, capacity));
            Graph::without_edges(reader, capacity)
        })?;
        Ok(Graph { adjacency: adjacency?, ..graph })
    }

    fn without_edges(reader: &Reader, capacity: usize) -> Result<Graph, StoreError> {
        let mut graph = Graph {
            heads: vec![None; capacity],
            lengths: vec![[0; SEARCH_COLUMNS]; capacity],
            files: reader.file_paths()?,
            ..Graph::default()
        };
        for (&(file, _), place) in graph.files.iter().zip(0_u32..) {
            graph.places.resize(file as usize, NOWHERE);
            graph.places.push(place);
        }
        graph.of_file = vec![0..0; graph.files.len()];
        reader.for_each_node_meta(|row| graph.take(row))?;
        Ok(graph)
    }

    /// Takes in one symbol; those of a file come together.
    fn take(&mut self, row: NodeMetaRow) {
        self.symbols += 1;
        self.externals += usize::from(row.kind == SymbolKind::External);
        if let Some(range) = row.file.and_then(|file| self.place(file)).and_then(|place| self.of_file.get_mut(place)) {
            if range.start == range.end {
                *range = self.members.len()..self.members.len();
            }
            range.end += 1;
            self.members.push(row.node);
        }
        let place = row.node as usize;
        if let (Some(head), Some(lengths)) = (self.heads.get_mut(place), self.lengths.get_mut(place)) {
            *head = Some(Head { kind: row.kind, file: row.file, is_test: row.is_test, tie: row.id_prefix });
            *lengths = row.lengths;
        }
    }

    /// Where a file stands among the files.
    fn place(&self, file: u32) -> Option<usize> {
        self.places.get(file as usize).copied().filter(|place| *place != NOWHERE).map(|place| place as usize)
    }

    /// Where each term stands in the search index: nowhere for one that more than [`tuning::COMMON_SHARE`] of all symbols
    /// have, which tells them apart from none.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn postings(&self, reader: &Reader, terms: &[String]) -> Result<Vec<Arc<[Posting]>>, StoreError> {
        let most = ((self.symbols() as f64 * tuning::COMMON_SHARE) as usize).max(tuning::COMMON_LEAST);
        self.postings.of(reader, terms, most)
    }

    /// Reads postings from the store again, and walks again.
    pub fn forget(&self) {
        self.postings.forget();
        self.walks.forget();
    }

    /// A symbol's facts.
    #[inline]
    pub fn head(&self, node: u32) -> Option<Head> {
        self.heads.get(node as usize).copied().flatten()
    }

    /// Breaks ties between symbols, by their identities.
    pub fn tie(&self, node: u32) -> u64 {
        self.head(node).map_or(u64::MAX, |head| head.tie)
    }

    /// Symbols with one of these ties, by number. Looks at all.
    pub fn bearing(&self, ties: &HashSet<u64>) -> Vec<u32> {
        let heads = (0..).zip(&self.heads);
        let bearing = heads.filter(|(_, head)| head.is_some_and(|head| ties.contains(&head.tie)));
        bearing.map(|(node, _)| node).collect()
    }

    /// The path of a symbol's file.
    pub fn path(&self, node: u32) -> Option<&str> {
        self.file_path(self.head(node)?.file?)
    }

    /// Id and path of every file, by id.
    pub fn files(&self) -> &[(u32, String)] {
        &self.files
    }

    /// The path of a file.
    pub fn file_path(&self, file: u32) -> Option<&str> {
        self.files.get(self.place(file)?).map(|(_, path)| path.as_str())
    }

    /// The symbols of a file.
    pub fn of_file(&self, file: u32) -> &[u32] {
        let range = self.place(file).and_then(|place| self.of_file.get(place));
        range.map_or(&[], |range| &self.members[range.clone()])
    }

    /// Symbols of the files in whose path `segment` is a folder, or the file's name with or without extension: shortest
    /// paths first, the symbols of a file in the order of their ties.
    pub fn in_path(&self, segment: &str) -> Vec<u32> {
        let files = self.files.iter().zip(&self.of_file).map(|((_, path), range)| (path.as_str(), range));
        let mut files: Vec<(&str, &Range<usize>)> = files.filter(|(path, _)| has_segment(path, segment)).collect();
        files.sort_unstable_by_key(|(path, _)| (path.len(), *path));
        let mut found = Vec::new();
        for (_, range) in files {
            let start = found.len();
            found.extend_from_slice(&self.members[range.clone()]);
            found[start..].sort_unstable_by_key(|node| self.tie(*node));
        }
        found
    }

    /// How many symbols there are.
    pub fn symbols(&self) -> usize {
        self.symbols
    }

    /// Share of the symbols that lie outside the repository.
    pub fn phantom_ratio(&self) -> f64 {
        self.externals as f64 / self.symbols.max(1) as f64
    }

    /// The type that a symbol is a member of.
    pub fn container(&self, node: u32) -> Option<u32> {
        let member_of = |neighbor: &&crate::graph::adjacency::Neighbor| neighbor.edge_type == EdgeType::MemberOf;
        let containers = self.adjacency.outgoing(node).iter().filter(member_of).map(|neighbor| neighbor.node);
        let container = containers.min_by_key(|container| self.tie(*container))?;
        self.head(container).filter(|head| head.kind.is_type()).map(|_| container)
    }

    /// The members of a type.
    pub fn members(&self, node: u32) -> impl Iterator<Item = u32> {
        let contains = |neighbor: &&crate::graph::adjacency::Neighbor| neighbor.edge_type == EdgeType::Contains;
        self.adjacency.outgoing(node).iter().filter(contains).map(|neighbor| neighbor.node)
    }

    /// How many symbols use this one: callers, users of a type, readers of a field.
    pub fn popularity(&self, node: u32) -> usize {
        use EdgeType::{AccessesField, Calls, Extends, Implements, Imports, References, TypeHintOf};
        let used = [Calls, References, TypeHintOf, Extends, Implements, Imports, AccessesField];
        self.adjacency.incoming(node).iter().filter(|neighbor| used.contains(&neighbor.edge_type)).count()
    }
}

/// True when `segment` is a folder of the path, or its file's name with or without extension, in any case.
fn has_segment(path: &str, segment: &str) -> bool {
    path.len() >= segment.len()
        && path.as_bytes().split(|byte| *byte == b'/').any(|part| {
            part.get(..segment.len()).is_some_and(|start| start.eq_ignore_ascii_case(segment.as_bytes()))
                && (part.len() == segment.len() || ends_stem(part, segment.len()))
        })
}

/// True when the first dot of `part` stands at `end`.
fn ends_stem(part: &[u8], end: usize) -> bool {
    part[end] == b'.' && !part[..end].contains(&b'.')
}

#[cfg(test)]
mod tests {
    use super::has_segment;

    #[test]
    fn whole_segments_count() {
        for segment in ["src", "Store", "store.rs", "sql"] {
            assert!(has_segment("src/sql/store.rs", segment), "{segment}");
        }
        for segment in ["sr", "rs", "stores", ""] {
            assert!(!has_segment("src/sql/store.rs", segment), "{segment}");
        }
    }
}
