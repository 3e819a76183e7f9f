//! Writes edges by slot (file and layer), where they differ from the stored ones.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use rayon::ThreadPool;
use rayon::prelude::*;

use super::report::WriteProgress;
use crate::model::{EdgeType, FileId, NodeId};
use crate::store::{EdgeRow, PackedEdges, Slot, StoreError, Writer, pack_edges};

/// Number of slots that are packed at once.
const BATCH: usize = 1_024;

/// Edges by slot; an empty list removes the slot.
pub(super) type Slots = BTreeMap<Slot, Vec<EdgeRow>>;

/// Changes made by [`replace`].
#[derive(Default)]
pub(super) struct EdgeDiff {
    /// Files with changed outgoing edges, without 0.
    pub(super) files: BTreeSet<FileId>,
    /// Symbols without a file that have changed outgoing edges.
    pub(super) fileless: HashSet<NodeId>,
    /// Change of the number of edges, by type.
    pub(super) counts: BTreeMap<EdgeType, i64>,
}

/// Adds edges to the slots of their sources' files.
pub(super) fn add_edges(slots: &mut Slots, edges: &[EdgeRow], file_of: impl Fn(NodeId) -> FileId) {
    let slot = |edge: &EdgeRow| Slot { file: file_of(edge.source), layer: edge.layer };
    for run in edges.chunk_by(|one, two| one.source == two.source && one.layer == two.layer) {
        if let Some(first) = run.first() {
            slots.entry(slot(first)).or_default().extend_from_slice(run);
        }
    }
}

/// Sorts the edges of each slot by source, target and type, and removes duplicates.
pub(super) fn sort_and_dedup(slots: &mut Slots, pool: &ThreadPool) {
    let key = |edge: &EdgeRow| (edge.source, edge.target, edge.edge_type as u8);
    pool.install(|| {
        slots.par_iter_mut().for_each(|(_, edges)| {
            edges.sort_unstable_by_key(key);
            edges.dedup_by_key(|edge| key(edge));
        });
    });
}

/// Writes the slots that differ from `old`, the stored ones sorted by slot. `slots` are sorted and without duplicates; they
/// are taken, so that memory shrinks meanwhile.
pub(super) fn replace(
    writer: &mut Writer,
    slots: &mut Slots,
    old: &[PackedEdges],
    (pool, writing): (&ThreadPool, &WriteProgress<'_>),
) -> Result<EdgeDiff, StoreError> {
    for packed in old {
        slots.entry(packed.slot).or_default();
    }
    let pack = |(slot, edges): &(Slot, Vec<EdgeRow>)| PackedEdges { slot: *slot, bytes: pack_edges(edges) };
    let mut diff = EdgeDiff::default();
    while !slots.is_empty() {
        let batch: Vec<(Slot, Vec<EdgeRow>)> = std::iter::from_fn(|| slots.pop_first()).take(BATCH).collect();
        let packed: Vec<PackedEdges> = pool.install(|| batch.par_iter().map(pack).collect());
        for (new, (_, edges)) in packed.iter().zip(&batch) {
            writing.advance(1);
            let stored = old.binary_search_by_key(&new.slot, |packed| packed.slot).ok().map(|index| &old[index]);
            if stored.map_or(&[][..], |stored| &stored.bytes) == new.bytes {
                continue;
            }
            let before = stored.map_or_else(|| Ok(Vec::new()), |stored| writer.reader().unpack(stored))?;
            diff.add(new.slot, &before, edges);
            writer.put_edges(new)?;
        }
    }
    Ok(diff)
}

impl EdgeDiff {
    fn add(&mut self, slot: Slot, before: &[EdgeRow], after: &[EdgeRow]) {
        for (edges, step) in [(before, -1), (after, 1)] {
            for edge in edges {
                *self.counts.entry(edge.edge_type).or_insert(0) += step;
            }
        }
        if slot.file != FileId::NONE {
            self.files.insert(slot.file);
            return;
        }
        let (old, new): (HashSet<&EdgeRow>, HashSet<&EdgeRow>) = (before.iter().collect(), after.iter().collect());
        self.fileless.extend(old.symmetric_difference(&new).map(|edge| edge.source));
    }
}
