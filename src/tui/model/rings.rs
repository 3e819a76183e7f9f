//! Where the nodes of a neighborhood stand on the canvas: the root in the middle, each hop on a ring of its own.

use std::f64::consts::TAU;

use crate::engine::{NeighborNode, Neighborhood};

/// More nodes than this are no picture any more.
pub const MOST_NODES: usize = 24;

/// The first [`MOST_NODES`] nodes, each with its place in the unit circle, x to the right and y upwards.
///
/// Each node has a sector of its parent's, as wide as its leaves need; siblings stand in the order of their identities
/// and the first sector begins where the root's identity says. So the same nodes stand at the same places whatever
/// their masses become.
pub fn places(shown: &Neighborhood) -> Vec<(f64, f64)> {
    let nodes = &shown.nodes[..shown.nodes.len().min(MOST_NODES)];
    let Some(root) = nodes.first() else { return Vec::new() };
    let most_hops = nodes.iter().map(|node| node.hops).max().unwrap_or(0).max(1);
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for (place, node) in nodes.iter().enumerate() {
        if let Some(branch) = node.parent {
            children[branch.index].push(place);
        }
    }
    children.iter_mut().for_each(|below| below.sort_by_key(|place| nodes[*place].symbol.id));
    let mut leaves = vec![0.0; nodes.len()];
    for place in (0..nodes.len()).rev() {
        let below: f64 = children[place].iter().map(|child| leaves[*child]).sum();
        leaves[place] = below.max(1.0);
    }
    let turned = f64::from(root.symbol.id.0[0]) / 256.0 * TAU;
    let mut placed = vec![(0.0, 0.0); nodes.len()];
    let mut sectors = vec![(turned, TAU); nodes.len()];
    for place in 0..nodes.len() {
        let (start, width) = sectors[place];
        if place > 0 {
            placed[place] = at(&nodes[place], start + width / 2.0, most_hops);
        }
        let mut from = start;
        for &child in &children[place] {
            let part = width * leaves[child] / leaves[place];
            sectors[child] = (from, part);
            from += part;
        }
    }
    placed
}

fn at(node: &NeighborNode, angle: f64, most_hops: u32) -> (f64, f64) {
    let radius = f64::from(node.hops) / f64::from(most_hops);
    (radius * angle.cos(), radius * angle.sin())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture;

    #[test]
    fn hops_are_rings_and_no_two_nodes_share_a_place() {
        let shown = fixture::neighborhood();
        let placed = places(&shown);
        assert_eq!((placed.len(), placed[0]), (shown.nodes.len(), (0.0, 0.0)));
        for (node, (x, y)) in shown.nodes.iter().zip(&placed) {
            let radius = f64::from(node.hops) / 2.0;
            assert!((x.hypot(*y) - radius).abs() < 1e-9);
        }
        for (one, first) in placed.iter().enumerate() {
            for second in &placed[one + 1..] {
                assert!((first.0 - second.0).hypot(first.1 - second.1) > 0.05, "{placed:?}");
            }
        }
    }

    #[test]
    fn masses_move_nobody() {
        let shown = fixture::neighborhood();
        let mut other = shown.clone();
        other.nodes.iter_mut().for_each(|node| node.mass = 0.5);
        assert_eq!(places(&shown), places(&other));
        assert_eq!(places(&Neighborhood::default()), []);
    }
}
