//! The edges of the whole graph, when something changed that derivation reads.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::catalog::Catalog;
use super::derived::{self, Positions, SIMILAR};
use super::error::IndexError;
use super::linking::{RESOLVED, Tail, TailKey};
use super::numbering::Numbers;
use super::report::{Clock, Phase};
use super::slots::{self, Difference, Slots};
use super::update::{Resolved, Update};
use super::{snapshot, write};
use crate::graph::derive::owned_by;
use crate::model::{Edge, EdgeType, SymbolKind};
use crate::store::{EdgeRow, FileRow, Layer, PackedEdges, StoreError, Writer, stored_confidence};

/// Edges from CODEOWNERS, made anew whenever the whole graph is.
const OWNED: Layer = 3;

/// Stands for the file of symbols without one, as in the store.
const NO_FILE: u32 = 0;
/// Stands for the file of a node that is no more.
const GONE: u32 = u32::MAX;

/// What the whole graph is made from.
pub(super) struct Whole<'a> {
    pub(super) update: &'a Update<'a>,
    pub(super) catalog: &'a Catalog,
    pub(super) resolved: &'a Resolved,
    pub(super) removed: &'a [FileRow],
}

impl Whole<'_> {
    /// Derives every edge again and writes what differs: edges, the tail's symbols, counts, the snapshot's roots.
    /// `linked` are the edges of the files that were resolved now.
    pub(super) fn write(
        &self,
        linked: Vec<EdgeRow>,
        tail: &mut Tail,
        numbers: &mut Numbers,
        writer: &mut Writer,
        clock: &mut Clock,
    ) -> Result<(), IndexError> {
        let old = writer.reader().packed_edges()?;
        let files = self.files(tail);
        let kept = self.kept(&old, &files, writer)?;
        let mut slots = self.slots(linked, kept, tail, numbers, writer)?;
        clock.end(Phase::Derive);

        self.update.begin(Phase::Write);
        let difference = slots::replace(writer, &mut slots, &old, self.update.pool)?;
        write_counts(self.catalog, tail, &slots, writer)?;
        self.removed.iter().try_for_each(|row| writer.delete_file(row.id))?;
        let changed = self.changed(&difference, tail);
        snapshot::write(writer, (!self.update.is_new).then_some(&changed))?;
        Ok(())
    }

    /// Every edge of the graph. Writes the tail's symbols on the way.
    fn slots(
        &self,
        linked: Vec<EdgeRow>,
        kept: Vec<EdgeRow>,
        tail: &mut Tail,
        numbers: &mut Numbers,
        writer: &mut Writer,
    ) -> Result<Slots, IndexError> {
        let (catalog, pool) = (self.catalog, self.update.pool);
        let (folders, package_names) = derived::packages(catalog, self.update.repository);
        let packages: Vec<Option<u32>> = folders
            .iter()
            .map(|folder| folder.as_ref().map(|folder| tail.node(SymbolKind::Package, None, folder, numbers)))
            .collect();
        let mut edges = linked;
        edges.extend(self.owned_by(tail, numbers));
        edges.extend(kept);
        let mut needed = Vec::new();
        let ends = edges.iter().flat_map(|edge| [edge.source, edge.target]);
        for node in ends.chain(packages.iter().flatten().copied()) {
            if needed.len() <= node as usize {
                needed.resize(node as usize + 1, false);
            }
            needed[node as usize] = true;
        }
        let gone = tail.retain(|_, node| needed.get(node as usize) == Some(&true));
        write::tail(writer, catalog, tail, &gone, Some(&package_names), self.update.repository)?;
        let sorted = tail.sorted();
        let positions = Positions::new(catalog, &sorted);
        let resolved: Vec<EdgeRow> = edges.iter().filter(|edge| edge.layer != SIMILAR).copied().collect();
        let targets = &self.resolved.targets;
        let derived = pool.install(|| derived::derive_all(catalog, &sorted, &positions, &packages, targets, &resolved));
        edges.extend(derived);
        let places: BTreeSet<&str> = self.update.changed_places(catalog, self.removed);
        edges.extend(derived::similar(catalog, &positions, &places, writer.reader(), pool)?);
        let files = self.files(tail);
        let mut slots = Slots::new();
        slots::sort_into(&mut slots, &edges, |node| files.get(node as usize).copied().unwrap_or(NO_FILE));
        slots::tidy(&mut slots, pool);
        Ok(slots)
    }

    /// The stored edges that still hold: both ends live, and what they were made from did not change. `files` are those
    /// of every node.
    fn kept(&self, old: &[PackedEdges], files: &[u32], writer: &Writer) -> Result<Vec<EdgeRow>, StoreError> {
        let catalog = self.catalog;
        let again: HashSet<u32> =
            self.resolved.files.iter().map(|&file| catalog.entries[file as usize].row.id).collect();
        let places: BTreeSet<&str> = self.update.changed_places(catalog, self.removed);
        let changed = catalog.entries.iter().filter(|entry| places.contains(entry.place()));
        let changed: HashSet<u32> = changed.map(|entry| entry.row.id).collect();
        let file_of = |node: u32| files.get(node as usize).copied().unwrap_or(GONE);
        let holds = |edge: &EdgeRow| match file_of(edge.source) {
            NO_FILE | GONE => false,
            file => {
                file_of(edge.target) != GONE && !if edge.layer == RESOLVED { &again } else { &changed }.contains(&file)
            }
        };
        let mut kept = Vec::new();
        for packed in old.iter().filter(|packed| [RESOLVED, SIMILAR].contains(&packed.slot.layer)) {
            kept.extend(writer.reader().unpack(packed)?.into_iter().filter(holds));
        }
        Ok(kept)
    }

    fn owned_by(&self, tail: &mut Tail, numbers: &mut Numbers) -> Vec<EdgeRow> {
        let Some(owners) = self.update.owners else { return Vec::new() };
        let mut pairs = Vec::new();
        for entry in &self.catalog.entries {
            for owner in owners.for_path(&entry.row.path) {
                pairs.push((entry.nodes[0], tail.node(SymbolKind::External, None, owner, numbers)));
            }
        }
        let row = |edge: Edge| EdgeRow {
            source: edge.source,
            edge_type: edge.edge_type,
            target: edge.target,
            provenance: edge.provenance,
            confidence: stored_confidence(edge.confidence),
            layer: OWNED,
        };
        owned_by::edges(&pairs).into_iter().map(row).collect()
    }

    /// The id of each node's file; [`GONE`] where there is no such node.
    fn files(&self, tail: &Tail) -> Vec<u32> {
        let own = self.catalog.entries.iter().flat_map(|entry| entry.nodes.iter().map(|&node| (node, entry.row.id)));
        let ids: HashSet<u32> = self.catalog.entries.iter().map(|entry| entry.row.id).collect();
        let file_of = |key: &TailKey| key.file.map_or(NO_FILE, |file| if ids.contains(&file) { file } else { GONE });
        let outside = tail.sorted().into_iter().map(|(key, node)| (node, file_of(key)));
        let mut files = Vec::new();
        for (node, file) in own.chain(outside) {
            if files.len() <= node as usize {
                files.resize(node as usize + 1, GONE);
            }
            files[node as usize] = file;
        }
        files
    }

    /// The packages whose roots may be others now. Symbols without a place come and go with the edges of others, so
    /// theirs is always among them.
    fn changed(&self, difference: &Difference, tail: &Tail) -> BTreeSet<String> {
        let places = self.update.changed_places(self.catalog, self.removed);
        let mut changed: BTreeSet<String> = places.into_iter().chain([""]).map(str::to_owned).collect();
        let files = self.catalog.entries.iter().filter(|entry| difference.files.contains(&entry.row.id));
        changed.extend(files.map(|entry| entry.place().to_owned()));
        let packages = tail.sorted().into_iter().filter(|(key, _)| key.kind == SymbolKind::Package);
        changed.extend(packages.filter(|(_, node)| difference.outside.contains(node)).map(|(key, _)| key.name.clone()));
        changed
    }
}

/// Keeps the numbers of symbols and edges, which are at hand now and costly to count later.
fn write_counts(catalog: &Catalog, tail: &Tail, slots: &Slots, writer: &mut Writer) -> Result<(), StoreError> {
    let mut symbols: BTreeMap<SymbolKind, u64> = BTreeMap::new();
    let definitions = catalog.entries.iter().flat_map(|entry| &entry.outline.definitions);
    let tail = tail.sorted();
    let kinds = definitions.map(|definition| definition.kind).chain(tail.iter().map(|(key, _)| key.kind));
    for kind in kinds.chain(catalog.entries.iter().map(|_| SymbolKind::File)) {
        *symbols.entry(kind).or_insert(0) += 1;
    }
    let mut types: BTreeMap<EdgeType, u64> = BTreeMap::new();
    for edge in slots.values().flatten() {
        *types.entry(edge.edge_type).or_insert(0) += 1;
    }
    writer.put_counts(&symbols, &types)
}
