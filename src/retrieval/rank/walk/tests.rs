//! Tests of the walk.

use super::*;
use crate::graph::adjacency::Adjacency;
use crate::model::{Edge, EdgeType, Provenance};

const CONFIG: WalkConfig = WalkConfig {
    restart: 0.2,
    max_iterations: 200,
    convergence: 1e-12,
    stable_top: 0,
    max_hops: 4,
    push_threshold: 0.0,
};

fn graph(nodes: usize, edges: &[(u32, u32, EdgeType)]) -> Adjacency {
    let edges: Vec<Edge> = edges
        .iter()
        .map(|&(source, target, edge_type)| Edge {
            source: NodeId::new(source),
            target: NodeId::new(target),
            edge_type,
            provenance: Provenance::AstResolved,
            confidence: 0.9,
        })
        .collect();
    Adjacency::new(nodes, &edges)
}

fn seeds<const N: usize>(weights: [(u32, f64); N]) -> [(NodeId, f64); N] {
    weights.map(|(node, weight)| (NodeId::new(node), weight))
}

#[test]
fn nearer_nodes_have_higher_scores() {
    let graph = graph(4, &[(0, 1, EdgeType::Calls), (1, 2, EdgeType::Calls), (2, 3, EdgeType::Calls)]);
    let walk = random_walk(&graph, &seeds([(0, 1.0)]), &CONFIG);
    let score = |node| walk.score(NodeId::new(node));
    assert!(score(1) > score(2) && score(2) > score(3) && score(3) > 0.0);
    assert_eq!(walk.distance(&graph, NodeId::new(3)), Some(3));
}

#[test]
fn nodes_within_reach_are_reached_without_mass_too() {
    let graph = graph(5, &[(0, 1, EdgeType::Calls), (1, 2, EdgeType::Calls), (2, 3, EdgeType::Calls)]);
    let config = WalkConfig { push_threshold: 0.9, max_hops: 2, ..CONFIG };
    let walk = random_walk(&graph, &seeds([(0, 1.0)]), &config);
    assert_eq!(walk.nodes.iter().map(|walked| walked.node.get()).collect::<Vec<_>>(), [0]);
    let reached: Vec<(u32, f64)> =
        walk.reached(&graph).iter().map(|walked| (walked.node.get(), walked.score)).collect();
    assert_eq!(reached, [(0, 1.0), (1, 0.0), (2, 0.0)]);
    let distances = |walk: &Walk| [0, 1, 2, 3].map(|node| walk.distance(&graph, NodeId::new(node)));
    assert_eq!(distances(&walk), [Some(0), Some(1), Some(2), None]);
    let listed = Walk::of_nodes(vec![(walk.nodes[0], 0)]);
    assert_eq!((distances(&listed), listed.reached(&graph)), ([Some(0), None, None, None], walk.nodes.clone()));
    let raised = walk.raised(&graph, &BTreeMap::from([(NodeId::new(1), 0.3), (NodeId::new(3), 0.2)]));
    assert_eq!(distances(&raised), [Some(0), Some(1), Some(2), Some(1)]);
    assert_eq!(raised.nodes.iter().map(|walked| walked.score).collect::<Vec<f64>>(), [1.0, 0.3, 0.2]);
}

#[test]
fn distances_equal_those_of_a_search_of_the_whole_graph() {
    // Chains of several lengths from the seeds 0 and 40, some of which meet; edges of both directions, and two without weight.
    let mut edges: Vec<(u32, u32, EdgeType)> = (0..30).map(|node| (node, node + 1, EdgeType::Calls)).collect();
    edges.extend((40..60).map(|node| (node + 1, node, EdgeType::References)));
    edges.extend([(3, 45, EdgeType::Imports), (0, 20, EdgeType::OwnedBy), (40, 25, EdgeType::OwnedBy)]);
    edges.extend((61..80).map(|leaf| (43, leaf, EdgeType::Contains)));
    let graph = graph(90, &edges);
    let starts = seeds([(0, 1.0), (40, 1.0)]);
    for max_hops in 0..8 {
        let reach = Reach::new(&graph, &starts, max_hops);
        let (mut expected, mut last) = (vec![None; 90], vec![NodeId::new(0), NodeId::new(40)]);
        last.iter().for_each(|node| expected[node.index()] = Some(0));
        for distance in 1..=max_hops as u8 {
            let edges = last.iter().flat_map(|&node| graph.neighbors(node)).filter(|edge| edge.link_weight() > 0.0);
            let new: Vec<NodeId> =
                edges.map(|edge| edge.node).filter(|node| expected[node.index()].is_none()).collect();
            new.iter().for_each(|node| expected[node.index()] = Some(distance));
            last = new;
        }
        let found: Vec<Option<u8>> = NodeId::sequence().take(90).map(|node| reach.distance(&graph, node)).collect();
        assert_eq!(found, expected, "{max_hops} hops");
        let all: Vec<Option<u8>> = reach.all(&graph).into_iter().map(|one| (one != FAR).then_some(one)).collect();
        assert_eq!(all, expected, "{max_hops} hops");
    }
}

#[test]
fn seeds_without_edge_weight_have_no_nan() {
    let graph = graph(2, &[(0, 1, EdgeType::OwnedBy)]);
    let walk = random_walk(&graph, &seeds([(0, 1.0)]), &CONFIG);
    assert_eq!(walk.nodes.len(), 1);
    assert_eq!(walk.nodes[0].score, 1.0);
}

#[test]
fn mass_sums_to_one() {
    let graph = graph(5, &[(0, 1, EdgeType::Calls), (0, 2, EdgeType::Imports), (3, 0, EdgeType::Tests)]);
    for max_hops in [0, 1, 4] {
        let reach = Reach::new(&graph, &seeds([(0, 1.0), (4, 0.5)]), max_hops);
        let Masses { nodes, .. } = iterate(&graph, &reach, &seeds([(0, 2.0 / 3.0), (4, 1.0 / 3.0)]), &CONFIG);
        assert!((nodes.iter().map(|node| node.mass).sum::<f64>() - 1.0).abs() < 1e-9, "{max_hops} hops");
    }
}

#[test]
fn hub_below_push_threshold_does_not_propagate() {
    let chain = (0..5).map(|node| (node, node + 1, EdgeType::Calls));
    let leaves = (6..500).map(|leaf| (leaf, 5, EdgeType::Calls));
    let graph = graph(500, &chain.chain(leaves).collect::<Vec<_>>());
    let masses = |push_threshold| {
        let config = WalkConfig { push_threshold, max_hops: 6, ..CONFIG };
        let reach = Reach::new(&graph, &seeds([(0, 1.0)]), config.max_hops);
        let Masses { nodes, .. } = iterate(&graph, &reach, &seeds([(0, 1.0)]), &config);
        assert!((nodes.iter().map(|node| node.mass).sum::<f64>() - 1.0).abs() < 1e-9, "nothing is lost");
        let mut mass = [0.0; 500];
        nodes.iter().for_each(|node| mass[node.node.index()] = node.mass);
        mass
    };
    let (some, all) = (masses(4e-4), masses(0.0));
    assert!(some[300] == 0.0 && all[300] > 0.0, "{} {}", some[300], all[300]);
    assert!((0..5).all(|node| (some[node] - all[node]).abs() < 0.1 * all[node]), "{:?} {:?}", &some[..6], &all[..6]);
}

#[test]
fn walk_is_bit_identical_under_renumbering() {
    let types = [EdgeType::Calls, EdgeType::Imports, EdgeType::Contains, EdgeType::References];
    let edges: Vec<(u32, u32, EdgeType)> = (0..400_u32)
        .map(|number| (number * 7 % 59, number * number % 61, types[number as usize % 4]))
        .filter(|(source, target, _)| source != target)
        .collect();
    let renumbered = |node: u32| (node * 17 + 5) % 61;
    let reversed: Vec<_> =
        edges.iter().rev().map(|&(source, target, kind)| (renumbered(source), renumbered(target), kind)).collect();
    let weights = [(3, 1.0), (11, 0.7), (40, 0.1)];
    let one = random_walk(&graph(61, &edges), &seeds(weights), &CONFIG);
    let others = weights.map(|(node, weight)| (renumbered(node), weight));
    let two = random_walk(&graph(61, &reversed), &seeds(others), &CONFIG);
    for walked in &one.nodes {
        let other = two.score(NodeId::new(renumbered(walked.node.get())));
        assert_eq!(walked.score.to_bits(), other.to_bits(), "{}", walked.node);
    }
}

#[test]
fn stable_top_is_independent_of_numbering() {
    let config = WalkConfig { stable_top: 10, convergence: 1e-9, ..CONFIG };
    let walk = |one: u32, other: u32| {
        let star = (1..13).map(|leaf| (0, leaf, EdgeType::Calls));
        let graph = graph(13, &star.chain([(one, other, EdgeType::Calls)]).collect::<Vec<_>>());
        let walk = random_walk(&graph, &seeds([(0, 1.0)]), &config);
        let mut scores: Vec<u64> = walk.nodes.iter().map(|walked| walked.score.to_bits()).collect();
        scores.sort_unstable();
        (walk.iterations, scores)
    };
    assert_eq!(walk(1, 2), walk(11, 12));
}

#[test]
fn walk_without_seeds_is_empty() {
    let graph = graph(1, &[]);
    assert_eq!(random_walk(&graph, &[], &CONFIG), Walk::default());
    assert_eq!(random_walk(&graph, &seeds([(7, 1.0), (0, f64::NAN)]), &CONFIG), Walk::default());
}
