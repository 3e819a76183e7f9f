//! A set of nodes with their indexes: a bit for each node of the graph, and the number of nodes before every 64.

use crate::model::NodeId;

/// Number of nodes in a word.
const WORD: usize = u64::BITS as usize;

/// Nodes, each with its index in the order of their numbers: arrays over a few nodes of a large graph need no place for the others.
#[derive(Debug, Clone, Default)]
pub struct NodeSet {
    bits: Vec<u64>,
    /// Number of nodes in the words before each one.
    before: Vec<u32>,
    len: usize,
}

impl NodeSet {
    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the index of a node; `None` for one that is not in the set.
    #[inline]
    pub fn index_of(&self, node: NodeId) -> Option<usize> {
        let (word, bit) = (node.index() / WORD, 1 << (node.index() % WORD));
        let bits = *self.bits.get(word)?;
        (bits & bit != 0).then(|| self.before[word] as usize + (bits & (bit - 1)).count_ones() as usize)
    }

    /// Returns the nodes, by number.
    pub fn iter(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.bits.iter().enumerate().flat_map(|(word, bits)| {
            let mut bits = *bits;
            std::iter::from_fn(move || {
                let bit = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
                bits &= bits - 1;
                Some(NodeId::from_index(word * WORD + bit))
            })
        })
    }
}

impl FromIterator<NodeId> for NodeSet {
    fn from_iter<T: IntoIterator<Item = NodeId>>(nodes: T) -> NodeSet {
        let mut bits: Vec<u64> = Vec::new();
        for node in nodes {
            let word = node.index() / WORD;
            if bits.len() <= word {
                bits.resize(word + 1, 0);
            }
            bits[word] |= 1 << (node.index() % WORD);
        }
        let mut len = 0;
        let mut before = Vec::with_capacity(bits.len());
        for word in &bits {
            before.push(len);
            len += word.count_ones();
        }
        NodeSet { bits, before, len: len as usize }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_follow_the_numbers() {
        let nodes = [700, 3, 64, 63, 3, 128].map(NodeId::new);
        let set: NodeSet = nodes.into_iter().collect();
        let sorted: Vec<u32> = set.iter().map(NodeId::get).collect();
        assert_eq!(sorted, [3, 63, 64, 128, 700]);
        assert_eq!(set.iter().map(|node| set.index_of(node)).collect::<Vec<_>>(), [0, 1, 2, 3, 4].map(Some));
        assert!([0, 4, 127, 701, u32::MAX].iter().all(|node| set.index_of(NodeId::new(*node)).is_none()));
        assert_eq!((set.len(), NodeSet::default().is_empty()), (5, true));
    }
}
