//! What stands around a symbol: its ego graph, and what it uses and what uses it.

use std::collections::HashMap;

use super::{EngineError, Ranker};
use crate::graph::adjacency::Neighbor;
use crate::model::{EdgeType, Symbol};
pub use crate::rank::ego::EgoRequest;
use crate::rank::ego::ego;
use crate::retrieve::Ranking;

/// The part of the graph around a symbol.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Neighborhood {
    /// The root first, parents before children, heavier children before lighter ones.
    pub nodes: Vec<NeighborNode>,
    /// Edges among the nodes, by their places: source, target.
    pub links: Vec<(usize, usize)>,
    /// True when the masses are those of the task's walk, false when a walker who starts at the root gives them.
    pub of_task: bool,
}

/// A symbol in a neighborhood.
#[derive(Debug, Clone, PartialEq)]
pub struct NeighborNode {
    pub symbol: Symbol,
    pub hops: u32,
    /// None for the root.
    pub parent: Option<Branch>,
    /// From 0 to 1.
    pub mass: f64,
    /// Neighbors that are not shown.
    pub hidden: usize,
}

/// How a symbol hangs in the tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Branch {
    /// Place of the parent.
    pub place: usize,
    pub edge_type: EdgeType,
    /// True when the edge leads from the parent to the child.
    pub outgoing: bool,
}

/// A symbol that uses another one or is used by it.
#[derive(Debug, Clone, PartialEq)]
pub struct Relation {
    pub symbol: Symbol,
    pub edge_type: EdgeType,
    /// Between 0 and 1.
    pub confidence: f32,
    /// Where a user names what it uses, as far as that is known.
    pub line: Option<u32>,
}

/// Longer lists are cut: nobody reads them to the end.
const MOST_RELATIONS: usize = 500;

impl Ranker {
    /// The neighborhood of a symbol, weighed by the walk of `ranking` if that reached it. For any symbol, ranked or not.
    ///
    /// # Errors
    /// When the store can't be read; likewise for every function here.
    pub fn neighborhood(&self, ranking: Option<&Ranking>, request: &EgoRequest) -> Result<Neighborhood, EngineError> {
        let walk = ranking.map(|ranking| &*ranking.walk);
        let tree = ego(&self.graph.adjacency, walk, request, |node| self.graph.tie(node));
        let mut shown = Neighborhood {
            of_task: walk.is_some_and(|walk| walk.get(request.root).is_some()),
            ..Neighborhood::default()
        };
        let mut places = HashMap::new();
        for node in &tree {
            let parent = match node.parent {
                None => None,
                // A child of what the store does not have stands nowhere.
                Some((place, edge)) => match places.get(&tree[place].node) {
                    Some(&place) => Some(Branch { place, edge_type: edge.edge_type, outgoing: edge.is_outgoing() }),
                    None => continue,
                },
            };
            let Some(symbol) = self.reader.symbol(node.node)? else { continue };
            places.insert(node.node, shown.nodes.len());
            let (hops, mass, hidden) = (node.hops, node.mass, node.hidden);
            shown.nodes.push(NeighborNode { symbol, hops, parent, mass, hidden });
        }
        for (source, node) in shown.nodes.iter().enumerate() {
            let targets = self.graph.adjacency.outgoing(node.symbol.node).iter();
            let mut targets: Vec<usize> = targets.filter_map(|edge| places.get(&edge.node).copied()).collect();
            targets.dedup();
            shown.links.extend(targets.into_iter().filter(|target| *target != source).map(|target| (source, target)));
        }
        Ok(shown)
    }

    /// What a symbol's definition uses, strongest first.
    pub fn uses(&self, node: u32) -> Result<Vec<Relation>, EngineError> {
        self.relations(self.graph.adjacency.outgoing(node))
    }

    /// What uses a symbol, strongest first, with the lines of the uses.
    pub fn users(&self, node: u32) -> Result<Vec<Relation>, EngineError> {
        let mut users = self.relations(self.graph.adjacency.incoming(node))?;
        if let Some(used) = self.reader.symbol(node)? {
            self.find_lines(&used, &mut users)?;
        }
        Ok(users)
    }

    fn relations(&self, edges: &[Neighbor]) -> Result<Vec<Relation>, EngineError> {
        let mut edges: Vec<&Neighbor> = edges.iter().filter(|edge| is_use(edge.edge_type)).collect();
        let strength = |edge: &Neighbor| edge.walk_weight() * f64::from(edge.confidence());
        edges.sort_by(|one, two| {
            let by_node = self.graph.tie(one.node).cmp(&self.graph.tie(two.node));
            strength(two).total_cmp(&strength(one)).then(by_node)
        });
        let mut relations: Vec<Relation> = Vec::new();
        for edge in edges {
            if relations.len() == MOST_RELATIONS {
                break;
            }
            if relations.iter().any(|relation| relation.symbol.node == edge.node) {
                continue;
            }
            if let Some(symbol) = self.reader.symbol(edge.node)? {
                relations.push(Relation {
                    symbol,
                    edge_type: edge.edge_type,
                    confidence: edge.confidence(),
                    line: None,
                });
            }
        }
        Ok(relations)
    }
}

/// True for edges that say that code names other code; nesting, tests seen from the tested side and likeness do not.
fn is_use(edge_type: EdgeType) -> bool {
    use EdgeType::{AuthoredBy, CoTestedWith, Contains, DeployedBy, MemberOf, OwnedBy, SimilarTo, TestedBy};
    let other = [Contains, MemberOf, TestedBy, CoTestedWith, SimilarTo, OwnedBy, AuthoredBy, DeployedBy];
    !other.contains(&edge_type)
}
