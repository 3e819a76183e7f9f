//! The neighborhood of a symbol: its ego graph, its uses and its users.

use std::collections::{BTreeMap, HashMap};

use super::reason::class;
use super::uses::{Use, lines_of_uses};
use super::{EngineError, Ranker, Ranking};
use crate::graph::adjacency::Neighbor;
use crate::model::{EdgeType, NodeId, Provenance, Symbol};
pub use crate::rank::ego::EgoRequest;
use crate::rank::ego::ego;
use crate::render::diagram::{Diagram, DiagramEdge, DiagramSymbol};
use crate::render::scoped_name;

/// The ego graph of a symbol, with symbols instead of nodes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Neighborhood {
    /// The root first, parents before children, heavier children before lighter ones.
    pub nodes: Vec<NeighborNode>,
    /// Edges among the nodes, as indexes: source, target.
    pub links: Vec<(usize, usize)>,
    /// Whether the masses are scores of the task's walk; otherwise they are probabilities of a walk from the root.
    pub of_task: bool,
}

/// A symbol in a neighborhood.
#[derive(Debug, Clone, PartialEq)]
pub struct NeighborNode {
    pub symbol: Symbol,
    pub hops: u32,
    /// `None` for the root.
    pub parent: Option<ParentEdge>,
    /// Mass of the walk, from 0 to 1.
    pub mass: f64,
    /// Number of neighbors that are not shown.
    pub hidden: usize,
}

/// The edge from a symbol's parent in the tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ParentEdge {
    /// Index of the parent.
    pub index: usize,
    pub edge_type: EdgeType,
    /// Whether the edge points from the parent to the child.
    pub outgoing: bool,
    /// Whether the name was not resolved, but only one or few definitions have it.
    pub is_inferred: bool,
}

/// A symbol that another one uses or is used by, and the edge between them.
#[derive(Debug, Clone, PartialEq)]
pub struct Relation {
    pub symbol: Symbol,
    pub edge_type: EdgeType,
    /// Between 0 and 1.
    pub confidence: f32,
    /// Lines of the references in the using symbol, as far as they are known.
    pub lines: Vec<u32>,
    /// Whether it is a call of something else that may run the used symbol, such as a method that it overrides.
    pub may_run: bool,
}

/// The users of a symbol, as far as they are known.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Users {
    pub relations: Vec<Relation>,
    /// Clauses on what is not known about other users. Without them there are no others.
    pub caveats: Vec<String>,
}

/// Limit of a list of relations.
const MAX_RELATIONS: usize = 500;

impl Ranker {
    /// Returns the neighborhood of a symbol, ranked or not, with the masses of the ranking's walk if it reached the
    /// symbol.
    ///
    /// # Errors
    /// When the store can't be read; likewise for every function here.
    pub fn neighborhood(&self, ranking: Option<&Ranking>, request: &EgoRequest) -> Result<Neighborhood, EngineError> {
        let walk = ranking.map(|ranking| &*ranking.walk);
        let is_outside = |node| self.graph.meta(node).is_none_or(|meta| meta.file.is_none());
        let order = |node| (is_outside(node), self.graph.id_prefix(node));
        let tree = ego(&self.graph, walk, request, order);
        let mut shown = Neighborhood {
            of_task: walk.is_some_and(|walk| walk.distance(&self.graph, request.root).is_some()),
            ..Neighborhood::default()
        };
        let mut indexes = HashMap::new();
        for node in &tree {
            let parent = match node.parent {
                None => None,
                // A child of a symbol that the store does not have is skipped.
                Some((parent, edge)) => match indexes.get(&tree[parent].node) {
                    Some(&index) => Some(ParentEdge {
                        index,
                        edge_type: edge.edge_type,
                        outgoing: edge.is_outgoing(),
                        is_inferred: edge.provenance == Provenance::AstInferred,
                    }),
                    None => continue,
                },
            };
            let Some(symbol) = self.reader.symbol(node.node)? else { continue };
            indexes.insert(node.node, shown.nodes.len());
            let (hops, mass, hidden) = (node.hops, node.mass, node.hidden);
            shown.nodes.push(NeighborNode { symbol, hops, parent, mass, hidden });
        }
        for (source, node) in shown.nodes.iter().enumerate() {
            let targets = self.graph.outgoing(node.symbol.node).iter();
            let mut targets: Vec<usize> = targets.filter_map(|edge| indexes.get(&edge.node).copied()).collect();
            targets.dedup();
            shown.links.extend(targets.into_iter().filter(|target| *target != source).map(|target| (source, target)));
        }
        self.graph.check()?;
        Ok(shown)
    }

    /// Returns the symbols of a neighborhood with all edges among them, each pair with the one that says most.
    pub fn diagram(&self, neighborhood: &Neighborhood) -> Diagram {
        let nodes = &neighborhood.nodes;
        let indexes: HashMap<NodeId, usize> =
            nodes.iter().enumerate().map(|(index, one)| (one.symbol.node, index)).collect();
        let symbol =
            |node: &NeighborNode| DiagramSymbol { name: scoped_name(&node.symbol), location: node.symbol.place() };
        let mut edges = Vec::new();
        for (source, node) in nodes.iter().enumerate() {
            let mut best: BTreeMap<usize, (u8, &Neighbor)> = BTreeMap::new();
            for edge in self.graph.outgoing(node.symbol.node) {
                let target = indexes.get(&edge.node).filter(|target| **target != source);
                let (Some(&target), Some(class)) = (target, class(edge.edge_type)) else { continue };
                let known = best.entry(target).or_insert((class, edge));
                if class < known.0 {
                    *known = (class, edge);
                }
            }
            edges.extend(best.into_iter().map(|(target, (_, edge))| {
                let (phrase, is_inferred) = (edge.edge_type.phrases().0, edge.provenance == Provenance::AstInferred);
                DiagramEdge { source, target, phrase, is_inferred }
            }));
        }
        // The neighbors of the outermost symbols are not of this neighborhood.
        let has_children =
            |index: usize| nodes.iter().any(|node| node.parent.is_some_and(|parent| parent.index == index));
        let shown = nodes.iter().enumerate().filter(|(index, _)| *index == 0 || has_children(*index));
        let left_out = shown.map(|(_, node)| node.hidden).sum();
        Diagram { symbols: nodes.iter().map(symbol).collect(), edges, left_out }
    }

    /// Returns the symbols that a symbol uses, strongest first, externals last: they have no source to show.
    pub fn uses(&self, node: NodeId) -> Result<Vec<Relation>, EngineError> {
        let mut uses = self.relations(self.graph.outgoing(node))?;
        uses.sort_by_key(|used| !is_internal(used));
        self.graph.check()?;
        Ok(uses)
    }

    /// Returns the symbols that use a symbol by an edge to it, strongest first, with the lines of their uses.
    pub fn users(&self, node: NodeId) -> Result<Vec<Relation>, EngineError> {
        let mut users = self.relations(self.graph.incoming(node))?;
        if let Some(used) = self.reader.symbol(node)? {
            let uses = users.iter().map(|user| Use { user: &user.symbol, edge_type: user.edge_type, used: &used });
            let uses: Vec<Use<'_>> = uses.collect();
            let lines = lines_of_uses(&self.reader, &self.root, &uses)?;
            users.iter_mut().zip(lines).for_each(|(user, lines)| user.lines = lines);
        }
        self.graph.check()?;
        Ok(users)
    }

    /// Returns the definitions that a word in a line of a file may refer to, likeliest first: what the definitions
    /// around the line use under that name, else definitions of the file, else all of that name. Externals only if
    /// there is no other.
    pub fn definitions(&self, word: &str, file: &str, line: u32) -> Result<Vec<Relation>, EngineError> {
        let of_file = self.reader.symbols_of_file(file)?;
        let mut around: Vec<&Symbol> =
            of_file.iter().filter(|symbol| (symbol.span.start_line..=symbol.span.end_line).contains(&line)).collect();
        around.sort_by_key(|symbol| symbol.span.end_line - symbol.span.start_line);
        let relation = |symbol| Relation {
            symbol,
            edge_type: EdgeType::Contains,
            confidence: 1.0,
            lines: Vec::new(),
            may_run: false,
        };
        let here = around.iter().find(|symbol| symbol.name == word && symbol.span.name_line == line);
        if let Some(symbol) = here {
            return Ok(vec![relation((*symbol).clone())]);
        }
        let mut external = Vec::new();
        for symbol in &around {
            let (mut inside, outside): (Vec<Relation>, Vec<Relation>) =
                self.uses(symbol.node)?.into_iter().filter(|used| used.symbol.name == word).partition(is_internal);
            external.extend(outside);
            if !inside.is_empty() {
                inside.sort_by_key(|used| used.symbol.is_test);
                return Ok(inside);
            }
        }
        let named = of_file.iter().filter(|symbol| symbol.name == word).cloned();
        let mut found: Vec<Relation> = named.map(relation).collect();
        if found.is_empty() {
            for node in self.reader.nodes_named_exactly(word, MAX_RELATIONS)? {
                found.extend(self.reader.symbol(node)?.map(relation));
            }
            found.retain(is_internal);
            found.sort_by_key(|named| named.symbol.is_test);
        }
        Ok(if found.is_empty() { external } else { found })
    }

    fn relations(&self, edges: &[Neighbor]) -> Result<Vec<Relation>, EngineError> {
        let mut edges: Vec<&Neighbor> = edges.iter().filter(|edge| edge.edge_type.is_relation()).collect();
        let strength = |edge: &Neighbor| edge.walk_weight() * f64::from(edge.confidence());
        edges.sort_by(|one, two| {
            let by_node = self.graph.id_prefix(one.node).cmp(&self.graph.id_prefix(two.node));
            strength(two).total_cmp(&strength(one)).then(by_node)
        });
        let mut relations: Vec<Relation> = Vec::new();
        for edge in edges {
            if relations.len() == MAX_RELATIONS {
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
                    lines: Vec::new(),
                    may_run: false,
                });
            }
        }
        // Tests come after the code that they test; otherwise the order is kept.
        relations.sort_by_key(|relation| relation.symbol.is_test);
        Ok(relations)
    }
}

fn is_internal(relation: &Relation) -> bool {
    !relation.symbol.file.is_empty()
}
