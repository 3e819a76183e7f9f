//! The memory that a run spends on facts which it could also keep packed.
//!
//! # Why
//!
//! What a run needs of all files at once (packed facts, tables of names, nodes, edges) grows with the repository. Facts
//! that are unpacked only save time: as many of them stay as the limit of memory admits.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::text::display::bytes;

/// Limits of a run, in bytes of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Budget {
    /// Of outlines that are never packed.
    outlines: u64,
    /// Of other facts of the files parsed in this run that are not packed.
    parsed: u64,
    /// Of outlines that are unpacked, and as much of code, from which on they are dropped after a batch of files.
    pub(super) unpacked: u64,
}

/// The budget of a run without a limit. A repository of a million lines keeps all outlines plain, and Linux a fifth.
const DEFAULT: Budget = Budget { outlines: 320 << 20, parsed: 320 << 20, unpacked: 240 << 20 };

/// The facts of a parsed file besides its outline take about as many times as much memory as its text.
const FACTS_PER_BYTE: u64 = 10;

/// The memory that a run takes for itself, whatever it indexes. Pages of files that the system maps, of the database and of
/// git's packs, come on top: the system takes them back when it needs memory.
const OWN: u64 = 128 << 20;

/// Hundredths of bytes that a run needs of each byte of source for what it has of all files at once, measured on Linux.
const NEEDED_PERCENT: u64 = 250;

/// The size of a file from which on its syntax tree needs more than [`OWN`], and the bytes of the tree for each byte of the
/// text, measured of a list of numbers.
const USUAL_FILE: u64 = 1 << 20;
const TREE_PER_BYTE: u64 = 160;

impl Budget {
    /// Divides a limit of memory among the facts of a repository with so many bytes of source.
    pub(super) fn new(limit: Option<u64>, source_bytes: u64) -> Budget {
        let Some(limit) = limit else { return DEFAULT };
        let spare = limit.saturating_sub(Budget::needed(source_bytes));
        Budget {
            outlines: DEFAULT.outlines.min(spare / 4),
            parsed: DEFAULT.parsed.min(spare / 4),
            unpacked: DEFAULT.unpacked.min(spare / 8),
        }
    }

    /// Returns about how much memory a run needs at least.
    pub(super) fn needed(source_bytes: u64) -> u64 {
        OWN + source_bytes * NEEDED_PERCENT / 100
    }
}

/// Returns the note for a limit that is less than what is needed for so many bytes of source, of which one file has `largest`.
pub(super) fn note(limit: u64, source_bytes: u64, largest: u64) -> Option<String> {
    let needed = Budget::needed(source_bytes) + largest.saturating_sub(USUAL_FILE) * TREE_PER_BYTE;
    let sizes = || (bytes(limit), bytes(needed), bytes(source_bytes));
    (limit < needed).then(sizes).map(|(limit, needed, source)| {
        format!("{limit} of memory are too few for {source} of source, which need about {needed}; using what is needed")
    })
}

/// The budget and what is spent of it.
#[derive(Debug)]
pub(super) struct Memory {
    pub(super) budget: Budget,
    outlines: AtomicU64,
    parsed: AtomicU64,
}

impl Memory {
    pub(super) fn new(budget: Budget) -> Memory {
        Memory { budget, outlines: AtomicU64::new(0), parsed: AtomicU64::new(0) }
    }

    /// Returns whether any further outline can stay plain.
    pub(super) fn has_room_for_outlines(&self) -> bool {
        self.outlines.load(Ordering::Relaxed) < self.budget.outlines
    }

    /// Returns whether an outline that takes so many bytes stays plain.
    pub(super) fn admits_outline(&self, bytes: usize) -> bool {
        spend(&self.outlines, bytes as u64, self.budget.outlines)
    }

    /// Returns whether the other facts of a parsed file of this size stay plain.
    pub(super) fn admits_parsed(&self, size: u64) -> bool {
        spend(&self.parsed, size * FACTS_PER_BYTE, self.budget.parsed)
    }
}

fn spend(spent: &AtomicU64, bytes: u64, limit: u64) -> bool {
    spent.fetch_add(bytes, Ordering::Relaxed) + bytes <= limit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_leaves_for_unpacked_facts_what_is_not_needed() {
        assert_eq!(Budget::new(None, 1 << 40), DEFAULT);
        assert_eq!(Budget::new(Some(u64::MAX), 1 << 30), DEFAULT);
        let nothing = Budget { outlines: 0, parsed: 0, unpacked: 0 };
        assert_eq!(Budget::new(Some(0), 0), nothing);
        let needed = Budget::needed(100 << 20);
        assert_eq!(Budget::new(Some(needed), 100 << 20), nothing);
        let some = Budget::new(Some(needed + (80 << 20)), 100 << 20);
        assert_eq!(some, Budget { outlines: 20 << 20, parsed: 20 << 20, unpacked: 10 << 20 });
        assert!(Budget::needed(200 << 20) > needed, "a larger repository needs more");
    }

    #[test]
    fn a_limit_that_is_too_small_is_noted() {
        assert_eq!(note(Budget::needed(1_000), 1_000, 1_000), None);
        let of_one_file = note(500_000_000, 15_000_000, 15_000_000).unwrap();
        assert!(of_one_file.contains("need about 2.4 GB"), "{of_one_file}");
        let needed = bytes(Budget::needed(100_000_000));
        let text = format!(
            "2.0 MB of memory are too few for 100.0 MB of source, which need about {needed}; using what is needed"
        );
        assert_eq!(note(2_000_000, 100_000_000, 1_000), Some(text));
    }

    #[test]
    fn facts_stay_plain_up_to_the_budget() {
        let memory = Memory::new(Budget { outlines: 100, parsed: 100, unpacked: 0 });
        assert!(memory.admits_outline(60) && !memory.admits_outline(60));
        assert!(memory.admits_parsed(10) && !memory.admits_parsed(1));
    }
}
