//! Radial layout of a neighborhood: the root in the middle, each hop on a ring of its own.

use std::f64::consts::TAU;

use crate::engine::{NeighborNode, Neighborhood};

/// Nodes on the canvas; with more the labels overlap.
pub const MAX_NODES: usize = 24;

/// Returns the positions of the first [`MAX_NODES`] nodes in the unit circle, x to the right and y upwards.
///
/// Each node has a sector of its parent's that is proportional to its leaves. Siblings are ordered by identity and the
/// first sector starts at an angle that depends on the root's identity, so positions do not depend on masses.
pub fn radial_layout(shown: &Neighborhood) -> Vec<(f64, f64)> {
    let nodes = &shown.nodes[..shown.nodes.len().min(MAX_NODES)];
    let Some(root) = nodes.first() else { return Vec::new() };
    let max_hops = nodes.iter().map(|node| node.hops).max().unwrap_or(0).max(1);
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        if let Some(branch) = node.parent {
            children[branch.index].push(index);
        }
    }
    children.iter_mut().for_each(|below| below.sort_by_key(|index| nodes[*index].symbol.id));
    let mut leaves = vec![0.0; nodes.len()];
    for index in (0..nodes.len()).rev() {
        let below: f64 = children[index].iter().map(|child| leaves[*child]).sum();
        leaves[index] = below.max(1.0);
    }
    let rotation = f64::from(root.symbol.id.0[0]) / 256.0 * TAU;
    let mut positions = vec![(0.0, 0.0); nodes.len()];
    let mut sectors = vec![(rotation, TAU); nodes.len()];
    for index in 0..nodes.len() {
        let (start, width) = sectors[index];
        if index > 0 {
            positions[index] = position(&nodes[index], start + width / 2.0, max_hops);
        }
        let mut from = start;
        for &child in &children[index] {
            let share = width * leaves[child] / leaves[index];
            sectors[child] = (from, share);
            from += share;
        }
    }
    positions
}

fn position(node: &NeighborNode, angle: f64, max_hops: u32) -> (f64, f64) {
    let radius = f64::from(node.hops) / f64::from(max_hops);
    (radius * angle.cos(), radius * angle.sin())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture;

    #[test]
    fn hops_are_rings_and_nodes_do_not_overlap() {
        let shown = fixture::neighborhood();
        let positions = radial_layout(&shown);
        assert_eq!((positions.len(), positions[0]), (shown.nodes.len(), (0.0, 0.0)));
        for (node, (x, y)) in shown.nodes.iter().zip(&positions) {
            let radius = f64::from(node.hops) / 2.0;
            assert!((x.hypot(*y) - radius).abs() < 1e-9);
        }
        for (one, first) in positions.iter().enumerate() {
            for second in &positions[one + 1..] {
                assert!((first.0 - second.0).hypot(first.1 - second.1) > 0.05, "{positions:?}");
            }
        }
    }

    #[test]
    fn masses_do_not_change_positions() {
        let shown = fixture::neighborhood();
        let mut other = shown.clone();
        other.nodes.iter_mut().for_each(|node| node.mass = 0.5);
        assert_eq!(radial_layout(&shown), radial_layout(&other));
        assert_eq!(radial_layout(&Neighborhood::default()), []);
    }
}
