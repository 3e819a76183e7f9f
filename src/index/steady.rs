//! Edits that leave every derived edge as it is: only what the resolved files say themselves is written.
//!
//! # Why
//!
//! Most edits change bodies. Deriving half a million edges to find that none differs takes longer than all the rest of
//! an update. What derivation reads of symbols is compared here, what it reads of edges by
//! [`derive::is_input`](crate::graph::derive::is_input).

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::catalog::{Catalog, Entry};
use super::derived::{self, Positions, SIMILAR};
use super::linking::{RESOLVED, Tail, TailKey};
use super::numbering::Renumbered;
use super::placement::unpack_placement;
use super::slots::{self, Difference, Slots};
use super::update::Update;
use super::{snapshot, write};
use crate::facts::{Definition, Outline};
use crate::graph::derive;
use crate::model::SymbolKind;
use crate::store::{EdgeRow, PackedEdges, Reader, Slot, StoreError, Writer};

/// True when the symbols are as derivation knows them. Call it before rows are written. `is_local` tells that no other
/// file can notice the change.
pub(super) fn is_steady(
    catalog: &Catalog,
    renumbered: &Renumbered,
    is_local: bool,
    reader: &Reader,
) -> Result<bool, StoreError> {
    if !(renumbered.created.is_empty() && renumbered.deleted.is_empty() && renumbered.moved.is_empty()) {
        return Ok(false);
    }
    for entry in catalog.entries.iter().filter(|entry| entry.is_parsed()) {
        // What an extension block extends is found by resolution, and with it whose members its definitions are.
        let extends =
            |other: &Entry| other.language.name == entry.language.name && !other.outline.extensions.is_empty();
        if !is_local && catalog.entries.iter().any(extends) {
            return Ok(false);
        }
        let (Some(outline), Some(placement)) =
            (reader.outline_blob(entry.row.id)?, reader.placement_blob(entry.row.id)?)
        else {
            return Ok(false);
        };
        if unpack_placement(&placement)? != entry.nodes || !derives_alike(entry, &outline.unpack()?) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// True when derivation reads the same from both outlines, whose definitions have the same identities.
fn derives_alike(entry: &Entry, old: &Outline) -> bool {
    let new = &entry.outline;
    let same = |(one, two): (&Definition, &Definition)| {
        let signatures_count =
            crate::lang::packages::has_implicit_interfaces(entry.language.name) && one.kind == SymbolKind::Method;
        one.kind == two.kind
            && one.container == two.container
            && one.parent == two.parent
            && one.flags.is_test == two.flags.is_test
            && one.flags.is_abstract == two.flags.is_abstract
            && (!signatures_count || one.signature == two.signature)
    };
    let package = |outline: &Outline| outline.package.map(|name| outline.names.get(name).to_owned());
    new.definitions.len() == old.definitions.len()
        && new.definitions.iter().zip(&old.definitions).all(same)
        && new.is_test == old.is_test
        && package(new) == package(old)
}

/// Writes the edges of the resolved files, if nothing that derivation reads is among what changed; else writes nothing
/// and gives false. `linked` are these edges.
pub(super) fn write(
    update: &Update<'_>,
    catalog: &Catalog,
    resolved: &[u32],
    linked: &[EdgeRow],
    tail: &mut Tail,
    writer: &mut Writer,
) -> Result<bool, StoreError> {
    let id = |file: u32| catalog.entries[file as usize].row.id;
    let mut old: Vec<PackedEdges> = Vec::new();
    for &file in resolved {
        old.extend(writer.reader().packed_edges_of(Slot { file: id(file), layer: RESOLVED })?);
    }
    let mut before: HashSet<EdgeRow> = HashSet::new();
    for packed in &old {
        before.extend(writer.reader().unpack(packed)?);
    }
    let after: HashSet<EdgeRow> = linked.iter().copied().collect();
    let tests = tests(catalog, resolved);
    let derives = |edge: &&EdgeRow| derive::is_input(edge.edge_type, tests.contains(&edge.source));
    if before.symmetric_difference(&after).any(|edge| derives(&edge)) {
        return Ok(false);
    }
    let Some(outside) = change_tail(update, catalog, &before, &after, tail, writer)? else { return Ok(false) };

    let files: BTreeMap<u32, u32> = resolved
        .iter()
        .flat_map(|&file| catalog.entries[file as usize].nodes.iter().map(move |&node| (node, id(file))))
        .collect();
    let routes = tail.route_files();
    let file_of = |node: u32| files.get(&node).or_else(|| routes.get(&node)).copied().unwrap_or(0);
    let mut slots = Slots::new();
    slots::sort_into(&mut slots, linked, file_of);
    let places = update.changed_places(catalog, &[]);
    add_similar(update, catalog, &places, &mut slots, &mut old, writer.reader())?;
    let difference = slots::replace(writer, &mut slots, &old, update.pool)?;
    finish(catalog, &places, &difference, &outside, writer)?;
    Ok(true)
}

/// Nodes that are tests or stand in a file of tests.
fn tests(catalog: &Catalog, files: &[u32]) -> HashSet<u32> {
    let of_file = |&file: &u32| {
        let Entry { outline, nodes, .. } = &catalog.entries[file as usize];
        let own = nodes.first().filter(|_| outline.is_test);
        let definitions = outline.definitions.iter().zip(nodes.iter().skip(1));
        own.into_iter().chain(definitions.filter(|(definition, _)| definition.flags.is_test).map(|(_, node)| node))
    };
    files.iter().flat_map(of_file).copied().collect()
}

/// How many symbols of each kind there are more than before, outside of any file.
type Outside = BTreeMap<SymbolKind, i64>;

/// Writes the tail's symbols that came and went. `None`, and nothing written, when derivation reads one of them.
fn change_tail(
    update: &Update<'_>,
    catalog: &Catalog,
    before: &HashSet<EdgeRow>,
    after: &HashSet<EdgeRow>,
    tail: &mut Tail,
    writer: &mut Writer,
) -> Result<Option<Outside>, StoreError> {
    let ends = |edges: &HashSet<EdgeRow>| -> HashSet<u32> {
        edges.iter().flat_map(|edge| [edge.source, edge.target]).collect()
    };
    let (old, new) = (ends(before), ends(after));
    let mut lost: HashSet<u32> = old.difference(&new).copied().collect();
    lost.retain({
        let known = tail.nodes();
        move |node| known.contains(node)
    });
    if !lost.is_empty() {
        for packed in writer.reader().packed_edges()? {
            for edge in writer.reader().unpack(&packed)? {
                if !before.contains(&edge) {
                    lost.remove(&edge.source);
                    lost.remove(&edge.target);
                }
            }
        }
    }
    let mut outside = Outside::new();
    let mut count = |key: &TailKey, step: i64| *outside.entry(key.kind).or_insert(0) += step;
    for (key, node) in tail.sorted() {
        if lost.contains(&node) {
            count(key, -1);
        } else if tail.is_created(node) {
            count(key, 1);
        }
    }
    // A route belongs to its file, which derivation says.
    if outside.contains_key(&SymbolKind::RouteHandler) {
        return Ok(None);
    }
    let gone = tail.retain(|_, node| !lost.contains(&node));
    write::tail(writer, catalog, tail, &gone, None, update.repository)?;
    Ok(Some(outside))
}

/// Adds the edges between similar bodies of the changed places, and what the store has of them.
pub(super) fn add_similar(
    update: &Update<'_>,
    catalog: &Catalog,
    places: &BTreeSet<&str>,
    slots: &mut Slots,
    old: &mut Vec<PackedEdges>,
    reader: &Reader,
) -> Result<(), StoreError> {
    let positions = Positions::new(catalog, &[]);
    let similar = derived::similar(catalog, &positions, places, reader, update.pool)?;
    let members: Vec<&Entry> = catalog.entries.iter().filter(|entry| places.contains(entry.place())).collect();
    let files: BTreeMap<u32, u32> =
        members.iter().flat_map(|entry| entry.nodes.iter().map(|&node| (node, entry.row.id))).collect();
    slots::sort_into(slots, &similar, |node| files.get(&node).copied().unwrap_or(0));
    for entry in members {
        old.extend(reader.packed_edges_of(Slot { file: entry.row.id, layer: SIMILAR })?);
    }
    old.sort_unstable_by_key(|packed| packed.slot);
    slots::tidy(slots, update.pool);
    Ok(())
}

/// Brings counts and roots up to date.
pub(super) fn finish(
    catalog: &Catalog,
    places: &BTreeSet<&str>,
    difference: &Difference,
    outside: &Outside,
    writer: &mut Writer,
) -> Result<(), StoreError> {
    writer.change_counts(outside, &difference.counts)?;
    let changed = catalog.entries.iter().filter(|entry| difference.files.contains(&entry.row.id));
    let mut changed: BTreeSet<String> =
        changed.map(Entry::place).chain(places.iter().copied()).map(str::to_owned).collect();
    if !outside.is_empty() {
        changed.insert(String::new());
    }
    snapshot::write(writer, Some(&changed))
}
