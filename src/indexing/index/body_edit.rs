//! The incremental path for edits that change no derived edges, except those between new or deleted symbols and their owners.
//! Only these and the resolved edges of the affected files are written.
//!
//! # Why
//!
//! Most edits change function bodies. Deriving half a million edges only to find no difference takes longer than the
//! rest of an update. [`Memberships`] compares the symbol facts that derivation reads; [`derive::is_input`] selects the
//! edges that it reads.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::derived::{self, SIMILAR};
use super::edge_slots::{self, EdgeDiff, Slots};
use super::file_set::{Entry, FileSet};
use super::linking::{FilelessKey, FilelessNodes, RESOLVED};
use super::memberships::{KindCounts, Memberships};
use super::update::Update;
use super::{snapshot, write};
use crate::graph::derive;
use crate::model::{EdgeType, FileId, FileIndex, NodeId, SymbolKind};
use crate::store::{EdgeRow, PackedEdges, Reader, Slot, StoreError, Writer};

/// Writes the edges of the resolved files (`linked`) and those of `memberships`, unless derivation reads an edge that changed.
/// Returns whether edges were written.
pub(super) fn try_write(
    update: &Update<'_>,
    file_set: &FileSet,
    (resolved, linked): (&[FileIndex], &[EdgeRow]),
    memberships: &Memberships,
    fileless: &mut FilelessNodes,
    writer: &mut Writer,
) -> Result<bool, StoreError> {
    let id = |file: FileIndex| file_set.entries[file.index()].row.id;
    let mut old: Vec<PackedEdges> = Vec::new();
    for &file in resolved {
        old.extend(writer.reader().packed_edges_of_slot(Slot { file: id(file), layer: RESOLVED })?);
    }
    let mut before: HashSet<EdgeRow> = HashSet::new();
    for packed in &old {
        before.extend(writer.reader().unpack(packed)?);
    }
    let after: HashSet<EdgeRow> = linked.iter().copied().collect();
    let tests = tests(file_set, resolved)?;
    writer.write_symbols()?;
    // None that comes or goes is an interface, and none that stays changes its kind.
    let is_interface = |node: NodeId| -> Result<bool, StoreError> {
        Ok(writer.reader().symbol(node)?.is_some_and(|symbol| symbol.kind == SymbolKind::Interface))
    };
    for edge in before.symmetric_difference(&after) {
        let to_interface = edge.edge_type == EdgeType::TypeHintOf && is_interface(edge.target)?;
        if derive::is_input(edge.edge_type, tests.contains(&edge.source), to_interface) {
            return Ok(false);
        }
    }
    let Some(mut count_changes) = write_fileless_changes(&before, &after, fileless, writer)? else {
        return Ok(false);
    };
    memberships.count(&mut count_changes);

    let files: BTreeMap<NodeId, FileId> = resolved
        .iter()
        .flat_map(|&file| file_set.entries[file.index()].nodes.iter().map(move |&node| (node, id(file))))
        .collect();
    let routes = fileless.route_files();
    let file_of = |node: NodeId| files.get(&node).or_else(|| routes.get(&node)).copied().unwrap_or(FileId::NONE);
    let mut slots = Slots::new();
    edge_slots::add_edges(&mut slots, linked, file_of);
    memberships.add(&mut slots, &mut old, writer.reader())?;
    let packages = update.changed_packages(file_set, &[]);
    add_similar(update, file_set, &packages, &mut slots, &mut old, writer.reader())?;
    let diff = edge_slots::replace(writer, &mut slots, &old, (update.pool, update.writing))?;
    write_counts_and_roots(file_set, &packages, &diff, &count_changes, writer)?;
    Ok(true)
}

/// Returns the nodes that are tests or belong to a test file.
fn tests(file_set: &FileSet, files: &[FileIndex]) -> Result<HashSet<NodeId>, StoreError> {
    let mut tests = HashSet::new();
    for file in files {
        let entry = &file_set.entries[file.index()];
        let outline = entry.outline()?;
        tests.extend(entry.nodes.first().filter(|_| outline.is_test));
        let definitions = outline.definitions.iter().zip(entry.nodes.iter().skip(1));
        tests.extend(definitions.filter(|(definition, _)| definition.flags.is_test).map(|(_, node)| node));
    }
    Ok(tests)
}

/// Returns those of the nodes without a definition that have no other edges than those `before`.
fn unreferenced(
    before: &HashSet<EdgeRow>,
    nodes: impl Iterator<Item = NodeId>,
    fileless: &FilelessNodes,
    reader: &Reader,
) -> Result<HashSet<NodeId>, StoreError> {
    let fileless_nodes = fileless.nodes();
    let nodes: Vec<NodeId> = nodes.filter(|node| fileless_nodes.contains(node)).collect();
    let mut counts: HashMap<NodeId, u32> = nodes.iter().map(|node| (*node, 0)).collect();
    for node in before.iter().flat_map(|edge| [edge.source, edge.target]) {
        counts.entry(node).and_modify(|count| *count += 1);
    }
    let degrees = reader.degrees_of(&nodes)?;
    let is_unreferenced =
        |node: &NodeId| degrees.get(node).is_some_and(|degree| degree.incoming + degree.outgoing == counts[node]);
    Ok(nodes.into_iter().filter(is_unreferenced).collect())
}

/// Writes new nodes without a definition and deletes unused ones. Returns `None`, having written nothing, when a route
/// appears or disappears.
fn write_fileless_changes(
    before: &HashSet<EdgeRow>,
    after: &HashSet<EdgeRow>,
    fileless: &mut FilelessNodes,
    writer: &mut Writer,
) -> Result<Option<KindCounts>, StoreError> {
    let endpoints = |edges: &HashSet<EdgeRow>| -> HashSet<NodeId> {
        edges.iter().flat_map(|edge| [edge.source, edge.target]).collect()
    };
    let (old, new) = (endpoints(before), endpoints(after));
    // A route also has derived edges, so it can outlive its resolved ones.
    if fileless.route_files().keys().any(|route| old.contains(route) != new.contains(route)) {
        return Ok(None);
    }
    let unreferenced = unreferenced(before, old.difference(&new).copied(), fileless, writer.reader())?;
    let mut count_changes = KindCounts::new();
    let mut count = |key: &FilelessKey, step: i64| *count_changes.entry(key.kind).or_insert(0) += step;
    for (key, node) in fileless.sorted() {
        if unreferenced.contains(&node) {
            count(key, -1);
        } else if fileless.is_new(node) {
            count(key, 1);
        }
    }
    let unneeded = fileless.retain(|_, node| !unreferenced.contains(&node));
    write::fileless_nodes(writer, fileless, &unneeded, None)?;
    Ok(Some(count_changes))
}

/// Adds the edges between similar bodies of the changed packages to `slots`, and their stored edges to `old`.
pub(super) fn add_similar(
    update: &Update<'_>,
    file_set: &FileSet,
    packages: &BTreeSet<&str>,
    slots: &mut Slots,
    old: &mut Vec<PackedEdges>,
    reader: &Reader,
) -> Result<(), StoreError> {
    let similar = derived::similar_edges(file_set, packages, reader, update.pool)?;
    let members: Vec<&Entry> = file_set.entries.iter().filter(|entry| packages.contains(entry.package())).collect();
    let files: BTreeMap<NodeId, FileId> =
        members.iter().flat_map(|entry| entry.nodes.iter().map(|&node| (node, entry.row.id))).collect();
    edge_slots::add_edges(slots, &similar, |node| files.get(&node).copied().unwrap_or(FileId::NONE));
    for entry in members {
        old.extend(reader.packed_edges_of_slot(Slot { file: entry.row.id, layer: SIMILAR })?);
    }
    old.sort_unstable_by_key(|packed| packed.slot);
    edge_slots::sort_and_dedup(slots, update.pool);
    Ok(())
}

/// Updates the stored counts and Merkle roots.
pub(super) fn write_counts_and_roots(
    file_set: &FileSet,
    packages: &BTreeSet<&str>,
    diff: &EdgeDiff,
    count_changes: &KindCounts,
    writer: &mut Writer,
) -> Result<(), StoreError> {
    writer.change_counts(count_changes, &diff.counts)?;
    let changed = file_set.entries.iter().filter(|entry| diff.files.contains(&entry.row.id));
    let mut changed: BTreeSet<String> =
        changed.map(Entry::package).chain(packages.iter().copied()).map(str::to_owned).collect();
    if !count_changes.is_empty() {
        changed.insert(String::new());
    }
    snapshot::write(writer, file_set.entries.iter().map(|entry| &entry.row), Some(&changed))
}
