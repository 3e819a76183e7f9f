//! Values by owner and name, in sorted columns.
//!
//! # Why
//!
//! The tables of all names of a repository are the largest ones of resolution. A hash table with a list for each name
//! takes three times the memory of these columns, and more time to fill.

use std::ops::Range;

use rayon::prelude::*;

use super::modules::ModuleId;
use super::value::SymbolRef;
use crate::facts::NameKey;

/// An owner of names.
pub trait Owner: Copy + Ord + Send + Sync {
    /// Returns a number that no other owner has.
    fn number(self) -> u64;
}

impl Owner for u32 {
    fn number(self) -> u64 {
        self.into()
    }
}

impl Owner for ModuleId {
    fn number(self) -> u64 {
        self.0.into()
    }
}

impl Owner for SymbolRef {
    fn number(self) -> u64 {
        u64::from(self.file.get()) << u32::BITS | u64::from(self.definition.get())
    }
}

/// A table whose rows are sorted by the hashes of owner and name. Rows of equal keys keep the order in which they were
/// added.
pub struct NameTable<O, V> {
    owners: Vec<O>,
    names: Vec<NameKey>,
    values: Vec<V>,
    /// The first row of each range of hashes, then the number of rows. There are about as many ranges as rows.
    starts: Vec<u32>,
    /// Number of the bits of a hash that are not in the number of its range.
    shift: u32,
}

impl<O, V> Default for NameTable<O, V> {
    fn default() -> Self {
        NameTable { owners: Vec::new(), names: Vec::new(), values: Vec::new(), starts: vec![0, 0], shift: u64::BITS }
    }
}

/// Returns the place of a row in the order: its hash, and its owner. Both determine the name.
fn place<O: Owner>(owner: O, name: NameKey) -> (u64, O) {
    /// Spreads the owners' numbers over all bits: 2^64 divided by the golden ratio.
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    (name.0 ^ owner.number().wrapping_mul(SPREAD), owner)
}

impl<O: Owner, V: Copy + Send + Sync> NameTable<O, V> {
    /// Builds the table.
    pub fn new(mut rows: Vec<(O, NameKey, V)>) -> NameTable<O, V> {
        rows.par_sort_by_key(|(owner, name, _)| place(*owner, *name));
        let bits = rows.len().next_power_of_two().trailing_zeros();
        let shift = u64::BITS - bits;
        let mut starts = Vec::with_capacity((1 << bits) + 1);
        for (row, (owner, name, _)) in (0_u32..).zip(&rows) {
            let range = range_of(place(*owner, *name).0, shift);
            while starts.len() <= range {
                starts.push(row);
            }
        }
        starts.resize((1 << bits) + 1, rows.len() as u32);
        NameTable {
            owners: rows.iter().map(|(owner, ..)| *owner).collect(),
            names: rows.iter().map(|(_, name, _)| *name).collect(),
            values: rows.iter().map(|(.., value)| *value).collect(),
            starts,
            shift,
        }
    }

    /// Returns the values of a name, in the order in which they were added.
    pub fn get(&self, owner: O, name: NameKey) -> &[V] {
        let wanted = place(owner, name);
        let range = range_of(wanted.0, self.shift);
        let (start, end) = (self.starts[range] as usize, self.starts[range + 1] as usize);
        let from = self.first_row(start..end, |at| at >= wanted);
        let to = self.first_row(from..end, |at| at > wanted);
        &self.values[from..to]
    }

    /// Returns the first of the rows whose place fulfills a condition, as do all after it; otherwise the end.
    fn first_row(&self, rows: Range<usize>, is_after: impl Fn((u64, O)) -> bool) -> usize {
        let (mut from, mut to) = (rows.start, rows.end);
        while from < to {
            let middle = from.midpoint(to);
            if is_after(place(self.owners[middle], self.names[middle])) {
                to = middle;
            } else {
                from = middle + 1;
            }
        }
        from
    }

    /// Returns the table with other values in their place.
    pub fn map<U>(self, change: impl Fn(V) -> U) -> NameTable<O, U> {
        let NameTable { owners, names, values, starts, shift } = self;
        NameTable { owners, names, values: values.into_iter().map(change).collect(), starts, shift }
    }

    /// Returns each name with its owner and values, in unspecified order.
    pub fn iter(&self) -> impl Iterator<Item = (O, NameKey, &[V])> {
        let mut from = 0;
        std::iter::from_fn(move || {
            let (owner, name) = (*self.owners.get(from)?, self.names[from]);
            let rest = self.owners[from..].iter().zip(&self.names[from..]);
            let to = from + rest.take_while(|row| *row == (&owner, &name)).count();
            let values = &self.values[from..to];
            from = to;
            Some((owner, name, values))
        })
    }
}

/// Returns the number of the range of a hash: its first bits.
fn range_of(hash: u64, shift: u32) -> usize {
    hash.checked_shr(shift).unwrap_or(0) as usize
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::facts::name_key;

    #[test]
    fn values_are_those_that_were_added_in_order() {
        for count in [0, 1, 2, 7, 500] {
            let rows: Vec<(u32, NameKey, u32)> =
                (0..count).map(|row| (row % 3, name_key(&format!("name{}", row % 90)), row)).collect();
            let mut expected: HashMap<(u32, NameKey), Vec<u32>> = HashMap::new();
            rows.iter().for_each(|(owner, name, value)| expected.entry((*owner, *name)).or_default().push(*value));
            let table = NameTable::new(rows);
            for ((owner, name), values) in &expected {
                assert_eq!(table.get(*owner, *name), values);
                assert!(table.get(owner + 3, *name).is_empty());
            }
            let all: HashMap<(u32, NameKey), Vec<u32>> =
                table.iter().map(|(owner, name, values)| ((owner, name), values.to_vec())).collect();
            assert_eq!(all, expected);
        }
        assert!(NameTable::<u32, u32>::default().get(0, name_key("a")).is_empty());
    }

    #[test]
    fn names_of_one_hash_are_apart() {
        let (one, other) = (name_key("a"), NameKey(place(0_u32, name_key("a")).0 ^ place(1_u32, NameKey(0)).0));
        assert_eq!(place(0_u32, one).0, place(1_u32, other).0);
        let table = NameTable::new(vec![(1_u32, other, 'x'), (0, one, 'y'), (1, other, 'z')]);
        assert_eq!((table.get(0, one), table.get(1, other)), (&['y'][..], &['x', 'z'][..]));
        assert!(table.get(0, other).is_empty() && table.get(1, one).is_empty());
    }
}
