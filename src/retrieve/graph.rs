//! One state of the index in memory: adjacency and the few facts about every symbol that ranking needs.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use crate::graph::adjacency::{Adjacency, Builder};
use crate::model::{EdgeType, SymbolKind};
use crate::store::{PackedEdges, Reader, SEARCH_COLUMNS, StoreError, edges_by_file, most_edges};

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

/// The graph of one state of the index.
#[derive(Debug, Default)]
pub struct Graph {
    pub adjacency: Adjacency,
    /// Terms in each column of the search index, by node.
    pub lengths: Vec<[u32; SEARCH_COLUMNS]>,
    heads: Vec<Option<Head>>,
    files: HashMap<u32, String>,
    of_file: HashMap<u32, Vec<u32>>,
    symbols: usize,
    externals: usize,
}

fn adjacency_of(packed: &[PackedEdges], database: &Path, capacity: usize) -> Result<Adjacency, StoreError> {
    let mut builder = Builder::new(capacity, most_edges(packed));
    edges_by_file(packed, database, |edges| builder.add(edges))?;
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
        let rows = reader.heads()?;
        let mut graph = Graph {
            heads: vec![None; capacity],
            lengths: vec![[0; SEARCH_COLUMNS]; capacity],
            symbols: rows.len(),
            ..Graph::default()
        };
        for row in &rows {
            if let Some(file) = row.file {
                graph.of_file.entry(file).or_default().push(row.node);
            }
            graph.externals += usize::from(row.kind == SymbolKind::External);
            let place = row.node as usize;
            if let (Some(head), Some(lengths)) = (graph.heads.get_mut(place), graph.lengths.get_mut(place)) {
                *head = Some(Head { kind: row.kind, file: row.file, is_test: row.is_test, tie: row.tie });
                *lengths = row.lengths;
            }
        }
        let heads = &graph.heads;
        let tie = |node: &u32| heads.get(*node as usize).copied().flatten().map(|head| head.tie);
        graph.of_file.values_mut().for_each(|nodes| nodes.sort_unstable_by_key(tie));
        graph.files = reader.files()?.into_iter().map(|file| (file.id, file.path)).collect();
        Ok(graph)
    }

    /// A symbol's facts.
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
        self.files.get(&self.head(node)?.file?).map(String::as_str)
    }

    /// Symbols of the files in whose path `segment` is a folder, or the file's name with or without extension: shortest
    /// paths first, the symbols of a file in the order of their ties.
    pub fn in_path(&self, segment: &str) -> Vec<u32> {
        let files = self.files.iter().map(|(file, path)| (path.as_str(), *file));
        let mut files: Vec<(&str, u32)> = files.filter(|(path, _)| has_segment(path, segment)).collect();
        files.sort_unstable_by_key(|(path, _)| (path.len(), *path));
        files.iter().filter_map(|(_, file)| self.of_file.get(file)).flatten().copied().collect()
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
        let member_of = |neighbour: &&crate::graph::adjacency::Neighbour| neighbour.edge_type == EdgeType::MemberOf;
        let containers = self.adjacency.outgoing(node).iter().filter(member_of).map(|neighbour| neighbour.node);
        let container = containers.min_by_key(|container| self.tie(*container))?;
        self.head(container).filter(|head| head.kind.is_type()).map(|_| container)
    }

    /// The members of a type.
    pub fn members(&self, node: u32) -> impl Iterator<Item = u32> {
        let contains = |neighbour: &&crate::graph::adjacency::Neighbour| neighbour.edge_type == EdgeType::Contains;
        self.adjacency.outgoing(node).iter().filter(contains).map(|neighbour| neighbour.node)
    }

    /// How many symbols use this one: callers, users of a type, readers of a field.
    pub fn popularity(&self, node: u32) -> usize {
        use EdgeType::{AccessesField, Calls, Extends, Implements, Imports, References, TypeHintOf};
        let used = [Calls, References, TypeHintOf, Extends, Implements, Imports, AccessesField];
        self.adjacency.incoming(node).iter().filter(|neighbour| used.contains(&neighbour.edge_type)).count()
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
