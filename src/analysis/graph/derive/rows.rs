//! Rows of node numbers in one array, for the passes' lookups.

use crate::model::NodeId;

/// A sorted list of values without duplicates for each node, in compressed sparse rows.
#[derive(Debug, Clone, Default)]
pub struct Rows<T = NodeId> {
    starts: Vec<u32>,
    values: Vec<T>,
}

impl<T: Copy + Ord> Rows<T> {
    /// Groups pairs of row and value.
    pub fn new(rows: usize, mut pairs: Vec<(NodeId, T)>) -> Rows<T> {
        pairs.sort_unstable();
        pairs.dedup();
        let mut starts = vec![0u32; rows + 1];
        for &(row, _) in &pairs {
            starts[row.index() + 1] += 1;
        }
        for row in 0..rows {
            starts[row + 1] += starts[row];
        }
        Rows { starts, values: pairs.into_iter().map(|(_, value)| value).collect() }
    }

    /// Returns the values of a row.
    pub fn row(&self, row: NodeId) -> &[T] {
        let row = row.index();
        &self.values[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}
