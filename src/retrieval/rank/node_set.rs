//! Sets and maps of nodes: a bit for each node of the graph, and the number of nodes before every 64.

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

/// A node for each of some nodes.
#[derive(Debug, Clone, Default)]
pub struct NodeMap {
    keys: NodeSet,
    /// By the index in `keys`.
    values: Vec<NodeId>,
}

impl NodeMap {
    /// Returns the node of a node.
    #[inline]
    pub fn get(&self, key: NodeId) -> Option<NodeId> {
        self.keys.index_of(key).map(|index| self.values[index])
    }
}

/// Makes a [`NodeMap`] of sorted pairs.
#[derive(Debug, Default)]
pub struct NodeMapBuilder {
    keys: Vec<NodeId>,
    values: Vec<NodeId>,
}

impl NodeMapBuilder {
    /// Adds a pair, in place of the last one if it has the same key. One with a lesser key is ignored.
    pub fn push(&mut self, (key, value): (NodeId, NodeId)) {
        match self.keys.last() {
            Some(last) if key < *last => {}
            Some(last) if key == *last => self.values[self.keys.len() - 1] = value,
            _ => {
                self.keys.push(key);
                self.values.push(value);
            }
        }
    }

    /// Returns the map.
    pub fn build(self) -> NodeMap {
        NodeMap { keys: self.keys.into_iter().collect(), values: self.values }
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

    #[test]
    fn a_map_has_the_last_value_of_each_key() {
        let mut builder = NodeMapBuilder::default();
        for (key, value) in [(2, 9), (70, 1), (70, 3), (5, 4), (200, 0)] {
            builder.push((NodeId::new(key), NodeId::new(value)));
        }
        let map = builder.build();
        let values = [2, 5, 70, 200].map(|key| map.get(NodeId::new(key)).map(NodeId::get));
        assert_eq!(values, [Some(9), None, Some(3), Some(0)]);
    }
}
