//! The graph of a question: that of one repository, or those of several, joined into one.

use std::collections::HashSet;
use std::sync::Arc;

use crate::candidates::Graph;
use crate::engine::{EngineError, Ranker};
use crate::graph::adjacency::{Adjacency, Neighbor, Neighborhoods};
use crate::lang::LANGUAGES;
use crate::model::{Edge, EdgeType, MemberNode, NodeId, Provenance};

/// Limit of the constructors of one name, more than any repository has.
const MAX_CONSTRUCTORS: usize = 1_000_000;

/// An edge from one repository to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EdgeBetween {
    pub source: MemberNode,
    pub target: MemberNode,
    /// The external symbol of the source's repository that stands for the target.
    pub external: NodeId,
    pub edge_type: EdgeType,
    pub confidence: f32,
}

/// The graph of a search.
pub(super) enum Joined<'a> {
    /// That of a single repository, of which only what a question needs is read.
    One(&'a Graph),
    /// That of several repositories.
    Several(Arc<JoinedGraph>),
}

/// The graphs of several repositories as one. It takes a pass over all their edges, so that it is kept for as long as the indexes are
/// the same.
#[derive(Debug, Default)]
pub struct JoinedGraph {
    adjacency: Adjacency,
    /// Those of all members.
    pub(super) constructors: Arc<HashSet<NodeId>>,
}

/// The numbers of the members' nodes in the joined graph: those of each follow those of the one before.
pub(super) struct Numbers {
    /// The number of each member's node 0.
    first: Vec<u32>,
    count: u32,
}

impl Numbers {
    /// Returns the numbers of members, by their positions.
    pub(super) fn new(rankers: &[Option<&Ranker>]) -> Numbers {
        let mut numbers = Numbers { first: Vec::with_capacity(rankers.len()), count: 0 };
        for ranker in rankers {
            numbers.first.push(numbers.count);
            let nodes = ranker.map_or(0, |ranker| ranker.graph.nodes());
            numbers.count = numbers.count.saturating_add(u32::try_from(nodes).unwrap_or(u32::MAX));
        }
        numbers
    }

    /// Returns the number of a member's node.
    pub(super) fn number(&self, position: usize, node: NodeId) -> NodeId {
        let first = self.first.get(position).copied().unwrap_or_default();
        NodeId::new(first.saturating_add(node.get()))
    }

    /// Returns the position of the member that a node is of, and the node there.
    pub(super) fn local(&self, node: NodeId) -> Option<(usize, NodeId)> {
        let position = self.first.partition_point(|first| *first <= node.get()).checked_sub(1)?;
        Some((position, NodeId::new(node.get() - self.first[position])))
    }
}

impl JoinedGraph {
    /// Joins the graphs of repositories, by their positions. `between` replace the external symbols that stand for their targets.
    ///
    /// # Errors
    /// When a store can't be read.
    pub fn new(rankers: &[Option<&Ranker>], between: &[EdgeBetween]) -> Result<JoinedGraph, EngineError> {
        let numbers = Numbers::new(rankers);
        let mut constructors = HashSet::new();
        for (position, ranker) in rankers.iter().enumerate().filter_map(|(position, one)| Some((position, (*one)?))) {
            constructors.extend(ranker.constructors()?.iter().map(|node| numbers.number(position, *node)));
        }
        let edges = joined_edges(rankers, &numbers, between)?;
        let adjacency = Adjacency::new(numbers.count as usize, &edges);
        Ok(JoinedGraph { adjacency, constructors: Arc::new(constructors) })
    }
}

/// Returns the edges of all members and those between them, with the numbers of the joined graph.
fn joined_edges(
    rankers: &[Option<&Ranker>],
    numbers: &Numbers,
    between: &[EdgeBetween],
) -> Result<Vec<Edge>, EngineError> {
    let number = |end: MemberNode| numbers.number(end.position(), end.node);
    // By source, since an external symbol can be the same name for another one, and something else.
    let replaced: HashSet<(NodeId, NodeId)> = (between.iter())
        .map(|edge| (number(edge.source), numbers.number(edge.source.position(), edge.external)))
        .collect();
    let mut all: Vec<Edge> = Vec::new();
    for (position, ranker) in rankers.iter().enumerate() {
        let Some(ranker) = ranker else { continue };
        // A node outside would be one of the next member.
        let is_inside = |edge: &Edge| edge.source.index().max(edge.target.index()) < ranker.graph.nodes();
        let edges = ranker.reader.all_edges()?.into_iter().filter(is_inside).filter_map(|edge| {
            let (source, target) = (numbers.number(position, edge.source), numbers.number(position, edge.target));
            (!replaced.contains(&(source, target))).then_some(Edge { source, target, ..edge })
        });
        all.extend(edges);
    }
    all.extend(between.iter().map(|edge| {
        let (source, target) = (number(edge.source), number(edge.target));
        let EdgeBetween { edge_type, confidence, .. } = *edge;
        Edge { source, target, edge_type, provenance: Provenance::Package, confidence }
    }));
    Ok(all)
}

impl Ranker {
    /// Returns the constructors of the loaded index, which are found once.
    pub(super) fn constructors(&self) -> Result<Arc<HashSet<NodeId>>, EngineError> {
        if let Some(known) = self.constructors.get() {
            return Ok(Arc::clone(known));
        }
        let names: HashSet<&str> =
            LANGUAGES.iter().filter_map(|language| language.rules.traits().constructor).collect();
        let mut found = HashSet::new();
        for name in &names {
            found.extend(self.reader.nodes_named_exactly(name, MAX_CONSTRUCTORS)?);
        }
        Ok(Arc::clone(self.constructors.get_or_init(|| Arc::new(found))))
    }
}

impl Neighborhoods for Joined<'_> {
    fn nodes(&self) -> usize {
        match self {
            Joined::One(graph) => graph.nodes(),
            Joined::Several(joined) => joined.adjacency.nodes(),
        }
    }

    fn outgoing(&self, node: NodeId) -> &[Neighbor] {
        match self {
            Joined::One(graph) => graph.outgoing(node),
            Joined::Several(joined) => joined.adjacency.outgoing(node),
        }
    }

    fn incoming(&self, node: NodeId) -> &[Neighbor] {
        match self {
            Joined::One(graph) => graph.incoming(node),
            Joined::Several(joined) => joined.adjacency.incoming(node),
        }
    }
}
