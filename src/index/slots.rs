//! Edges as they are kept: by file and layer, written where they differ from what the store has.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::model::EdgeType;
use crate::store::{EdgeRow, PackedEdges, Slot, StoreError, Writer, pack_edges};

/// The edges of some slots; an empty list says that a slot has none any more.
pub(super) type Slots = BTreeMap<Slot, Vec<EdgeRow>>;

/// What writing edges changed.
#[derive(Default)]
pub(super) struct Difference {
    /// Files from which edges changed; not 0.
    pub(super) files: BTreeSet<u32>,
    /// Symbols without a file from which edges changed.
    pub(super) outside: HashSet<u32>,
    /// How many edges of each type there are more than before.
    pub(super) counts: BTreeMap<EdgeType, i64>,
}

/// Adds edges to the slots in which their sources' files keep them.
pub(super) fn sort_into(slots: &mut Slots, edges: &[EdgeRow], file_of: impl Fn(u32) -> u32) {
    let slot = |edge: &EdgeRow| Slot { file: file_of(edge.source), layer: edge.layer };
    for run in edges.chunk_by(|one, two| one.source == two.source && one.layer == two.layer) {
        if let Some(first) = run.first() {
            slots.entry(slot(first)).or_default().extend_from_slice(run);
        }
    }
}

/// Sorts the edges of each slot by source, target and type, and keeps one of equal ones.
pub(super) fn tidy(slots: &mut Slots, pool: &ThreadPool) {
    let key = |edge: &EdgeRow| (edge.source, edge.target, edge.edge_type as u8);
    pool.install(|| {
        slots.par_iter_mut().for_each(|(_, edges)| {
            edges.sort_unstable_by_key(key);
            edges.dedup_by_key(|edge| key(edge));
        });
    });
}

/// Replaces the edges of these slots, which are tidy. `old` is what the store has of them, sorted by slot.
pub(super) fn replace(
    writer: &mut Writer,
    slots: &mut Slots,
    old: &[PackedEdges],
    pool: &ThreadPool,
) -> Result<Difference, StoreError> {
    for packed in old {
        slots.entry(packed.slot).or_default();
    }
    let pack = |(&slot, edges): (&Slot, &Vec<EdgeRow>)| PackedEdges { slot, bytes: pack_edges(edges) };
    let packed: Vec<PackedEdges> = pool.install(|| slots.par_iter().map(pack).collect());
    let mut difference = Difference::default();
    for new in packed {
        let known = old.binary_search_by_key(&new.slot, |packed| packed.slot).ok().map(|place| &old[place]);
        if known.map_or(&[][..], |known| &known.bytes) == new.bytes {
            continue;
        }
        let before = known.map_or_else(|| Ok(Vec::new()), |known| writer.reader().unpack(known))?;
        difference.add(new.slot, &before, &slots[&new.slot]);
        writer.put_edges(&new)?;
    }
    Ok(difference)
}

impl Difference {
    fn add(&mut self, slot: Slot, before: &[EdgeRow], after: &[EdgeRow]) {
        for (edges, step) in [(before, -1), (after, 1)] {
            for edge in edges {
                *self.counts.entry(edge.edge_type).or_insert(0) += step;
            }
        }
        if slot.file != 0 {
            self.files.insert(slot.file);
            return;
        }
        let (old, new): (HashSet<&EdgeRow>, HashSet<&EdgeRow>) = (before.iter().collect(), after.iter().collect());
        self.outside.extend(old.symmetric_difference(&new).map(|edge| edge.source));
    }
}
