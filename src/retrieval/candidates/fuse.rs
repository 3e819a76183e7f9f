//! Reciprocal rank fusion of several ranked lists (Cormack, Clarke and Büttcher, SIGIR 2009).

use std::collections::HashMap;

use crate::model::NodeId;

/// The ranked list of one channel, with its weight.
#[derive(Debug, Clone, Copy)]
pub struct RankedList<'a> {
    pub weight: f64,
    /// Best first, without repetitions.
    pub nodes: &'a [NodeId],
}

/// Fuses the lists: a node at 0-based `rank` of a list gains `weight / (k + rank + 1)`. Best first; equal scores in the
/// order of `tie_break`. Independent of the order of the lists up to rounding.
pub fn fuse(lists: &[RankedList<'_>], k: f64, tie_break: impl Fn(NodeId) -> u64) -> Vec<(NodeId, f64)> {
    let mut scores: HashMap<NodeId, f64> = HashMap::new();
    for list in lists {
        for (rank, &node) in list.nodes.iter().enumerate() {
            *scores.entry(node).or_default() += list.weight / (k + rank as f64 + 1.0);
        }
    }
    let mut fused: Vec<(NodeId, f64)> = scores.into_iter().collect();
    fused.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| tie_break(a.0).cmp(&tie_break(b.0))));
    fused
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agreement_beats_a_single_first_rank() {
        let (one, two) = ([7, 3].map(NodeId::new), [9, 3].map(NodeId::new));
        let lists = [RankedList { weight: 2.0, nodes: &one }, RankedList { weight: 2.0, nodes: &two }];
        let fused = fuse(&lists, 60.0, |node| node.get().into());
        assert_eq!(fused[0].0, NodeId::new(3));
        assert!((fused[0].1 - 4.0 / 62.0).abs() < 1e-12); // 2/62 from each list
        assert_eq!(fused[1].0, NodeId::new(7)); // equal to 9, so the smaller number
    }

    #[test]
    fn lists_commute() {
        let (one, two) = ([1, 2, 3].map(NodeId::new), [3, 4].map(NodeId::new));
        let (a, b) = (RankedList { weight: 1.5, nodes: &one }, RankedList { weight: 2.0, nodes: &two });
        let order = |lists: &[RankedList<'_>]| {
            fuse(lists, 60.0, |node| node.get().into()).into_iter().map(|(node, _)| node).collect::<Vec<_>>()
        };
        assert_eq!(order(&[a, b]), order(&[b, a]));
    }
}
