//! The number of terms in each column of every symbol's search text: eight bytes a symbol, since most numbers are small.

use std::collections::HashMap;

use crate::model::NodeId;
use crate::store::SEARCH_COLUMNS;

/// Stands for lengths of which one is larger than a byte.
const LARGE: [u8; SEARCH_COLUMNS] = [u8::MAX; SEARCH_COLUMNS];

/// Lengths by symbol.
#[derive(Debug, Default)]
pub struct Lengths {
    small: Vec<[u8; SEARCH_COLUMNS]>,
    large: HashMap<NodeId, [u32; SEARCH_COLUMNS]>,
}

impl Lengths {
    /// Returns lengths of zero for this many symbols.
    pub fn new(symbols: usize) -> Lengths {
        Lengths { small: vec![[0; SEARCH_COLUMNS]; symbols], large: HashMap::new() }
    }

    /// Sets the lengths of a symbol, if it is one of these.
    pub fn set(&mut self, node: NodeId, lengths: [u32; SEARCH_COLUMNS]) {
        let Some(small) = self.small.get_mut(node.index()) else { return };
        if lengths.iter().all(|length| *length < u32::from(u8::MAX)) {
            for (small, length) in small.iter_mut().zip(lengths) {
                *small = length as u8;
            }
        } else {
            *small = LARGE;
            self.large.insert(node, lengths);
        }
    }

    /// Returns the lengths of a symbol; zero for an unknown one.
    #[inline]
    pub fn get(&self, node: NodeId) -> [u32; SEARCH_COLUMNS] {
        match self.small.get(node.index()) {
            Some(&LARGE) => self.large.get(&node).copied().unwrap_or_default(),
            Some(small) => {
                // Loops of a few instructions: `map` of an array calls a function for each number, of millions of symbols.
                let mut lengths = [0; SEARCH_COLUMNS];
                for (length, small) in lengths.iter_mut().zip(small) {
                    *length = u32::from(*small);
                }
                lengths
            }
            None => [0; SEARCH_COLUMNS],
        }
    }

    /// Returns the number of a symbol's terms in some columns; none for an unknown symbol.
    #[inline]
    pub fn sum(&self, node: NodeId, columns: &[usize]) -> f64 {
        match self.small.get(node.index()) {
            Some(&LARGE) => {
                let large = self.get(node);
                columns.iter().map(|column| f64::from(large[*column])).sum()
            }
            Some(small) => columns.iter().map(|column| f64::from(small[*column])).sum(),
            None => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_any_size_are_kept() {
        let mut lengths = Lengths::new(3);
        let rows = [[0, 1, 2, 3, 4, 5, 6, 254], [255, 0, 0, 0, 0, 0, 70_000, 1]];
        for (node, row) in NodeId::sequence().zip(rows) {
            lengths.set(node, row);
        }
        lengths.set(NodeId::new(9), rows[0]);
        let nodes = [0, 1, 2, 9].map(NodeId::new);
        assert_eq!(nodes.map(|node| lengths.get(node)), [rows[0], rows[1], [0; SEARCH_COLUMNS], [0; SEARCH_COLUMNS]]);
        assert_eq!(nodes.map(|node| lengths.sum(node, &[3, 6])), [9.0, 70_000.0, 0.0, 0.0]);
    }
}
