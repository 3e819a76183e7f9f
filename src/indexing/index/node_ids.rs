//! Identities and node ids of definitions.
//!
//! A node keeps its id as long as its identity exists, so the rows of unchanged files stay valid. Freed ids are
//! reused by a later run, once they are many; not by the same one, whose edges still refer to the old nodes.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::file_set::{Entry, FileSet};
use crate::facts::Outline;
use crate::model::{FileId, FileIndex, NodeId, SymbolId, SymbolKind};
use crate::store::{FileRow, Reader, StoreError};

/// A symbol's identity, and its ordinal among symbols of the same name and kind in its package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NodeIdentity {
    pub(super) identity: SymbolId,
    pub(super) ordinal: u32,
}

/// Unused ids are used again if they are more than one of so many.
const MIN_UNUSED_SHARE: u64 = 16;

/// Allocates node ids.
pub(super) struct NodeIdAllocator {
    free: Vec<NodeId>,
    next: u32,
}

impl NodeIdAllocator {
    /// Collects the unused ids of the store where they are more than a few: they come first, so arrays indexed by node stay short.
    /// To find them, every block of symbols is read.
    pub(super) fn new(reader: &Reader) -> Result<NodeIdAllocator, StoreError> {
        let capacity = reader.node_capacity()?;
        let unused = u64::from(capacity).saturating_sub(reader.symbol_count()?);
        if unused * MIN_UNUSED_SHARE <= u64::from(capacity) {
            return Ok(NodeIdAllocator { free: Vec::new(), next: capacity });
        }
        let mut is_used = vec![false; capacity as usize];
        reader.node_ids()?.into_iter().for_each(|node| is_used[node.index()] = true);
        let free = (0..capacity).rev().map(NodeId::new).filter(|node| !is_used[node.index()]).collect();
        Ok(NodeIdAllocator { free, next: capacity })
    }

    /// Returns an unused id.
    pub(super) fn allocate(&mut self) -> NodeId {
        self.free.pop().unwrap_or_else(|| {
            let node = NodeId::new(self.next);
            self.next += 1;
            node
        })
    }
}

/// Changes of nodes and their ids.
#[derive(Default)]
pub(super) struct NodeChanges {
    /// Files whose node rows must be written, with the identities of their symbols; by the index in the set.
    /// `None` for new files that are packages by themselves: theirs depend on no other file, and are computed when they
    /// are written.
    pub(super) identities: BTreeMap<FileIndex, Option<Vec<NodeIdentity>>>,
    /// Deleted nodes.
    pub(super) deleted: BTreeSet<NodeId>,
    /// New nodes.
    pub(super) created: HashSet<NodeId>,
    /// Definitions of unparsed files whose node id changed: file, and index of the symbol in the file.
    pub(super) moved: Vec<(FileIndex, u32)>,
}

/// Assigns node ids to the definitions of every package in which a file was parsed or removed.
pub(super) fn assign(
    file_set: &mut FileSet,
    removed: &[FileRow],
    repository: &str,
    allocator: &mut NodeIdAllocator,
    reader: &Reader,
) -> Result<NodeChanges, StoreError> {
    let mut packages: BTreeMap<String, (Vec<FileIndex>, Vec<FileId>)> = BTreeMap::new();
    for entry in file_set.entries.iter().filter(|entry| entry.is_parsed()) {
        packages.entry(entry.package().to_owned()).or_default();
    }
    for row in removed {
        let package = crate::lang::packages::definition_unit(&row.language, &row.path);
        packages.entry(package.to_owned()).or_default().1.push(row.id);
    }
    for (file, entry) in FileIndex::sequence().zip(&file_set.entries) {
        if let Some((members, stored)) = packages.get_mut(entry.package()) {
            members.push(file);
            stored.extend((!entry.is_new).then_some(entry.row.id));
        }
    }
    let mut changes = NodeChanges::default();
    for (members, stored) in packages.into_values() {
        if let ([file], []) = (&members[..], &stored[..]) {
            assign_new_file(&mut file_set.entries[file.index()], allocator, &mut changes);
            changes.identities.insert(*file, None);
            continue;
        }
        let mut stored_ids: HashMap<SymbolId, NodeId> = HashMap::new();
        for file in stored {
            stored_ids.extend(reader.identities_of_file(file)?.into_iter().map(|(node, identity)| (identity, node)));
        }
        let by_file = identify_package(file_set, &members, repository)?;
        for (file, identities) in members.into_iter().zip(by_file) {
            assign_file_nodes(file_set, file, identities, &mut stored_ids, allocator, &mut changes);
        }
        changes.deleted.extend(stored_ids.into_values());
    }
    Ok(changes)
}

/// Assigns node ids to the symbols of a file that was parsed and is a package by itself.
fn assign_new_file(entry: &mut Entry, allocator: &mut NodeIdAllocator, changes: &mut NodeChanges) {
    let definitions = entry.parsed.as_ref().map_or(0, |parsed| parsed.definitions);
    entry.nodes = (0..=definitions).map(|_| allocator.allocate()).collect();
    changes.created.extend(&entry.nodes);
}

/// Assigns node ids to a file's symbols, reusing those in `stored_ids`.
fn assign_file_nodes(
    file_set: &mut FileSet,
    file: FileIndex,
    identities: Vec<NodeIdentity>,
    stored_ids: &mut HashMap<SymbolId, NodeId>,
    allocator: &mut NodeIdAllocator,
    changes: &mut NodeChanges,
) {
    let entry = &mut file_set.entries[file.index()];
    let nodes: Vec<NodeId> = identities
        .iter()
        .map(|identity| {
            stored_ids.remove(&identity.identity).unwrap_or_else(|| {
                let node = allocator.allocate();
                changes.created.insert(node);
                node
            })
        })
        .collect();
    if !entry.is_parsed() {
        let pairs = (0_u32..).zip(entry.nodes.iter().zip(&nodes));
        let moved = pairs.filter(|(_, (before, after))| before != after);
        changes.moved.extend(moved.map(|(index, _)| (file, index)));
    }
    if entry.is_parsed() || entry.nodes != nodes {
        changes.identities.insert(file, Some(identities));
    }
    entry.nodes = nodes;
}

/// Returns the identities of every file's symbols, by the index in the set. The set must contain all files of each package
/// that it contains any of.
pub(super) fn identities(
    file_set: &FileSet,
    repository: &str,
) -> Result<Vec<(FileIndex, Vec<NodeIdentity>)>, StoreError> {
    let mut packages: BTreeMap<&str, Vec<FileIndex>> = BTreeMap::new();
    for (file, entry) in FileIndex::sequence().zip(&file_set.entries) {
        packages.entry(entry.package()).or_default().push(file);
    }
    let mut identities = Vec::with_capacity(file_set.entries.len());
    for files in packages.into_values() {
        let of_package = identify_package(file_set, &files, repository)?;
        identities.extend(files.into_iter().zip(of_package));
    }
    Ok(identities)
}

/// Returns the identities of the symbols of a package's files, which are sorted by path. Ordinals count definitions of
/// equal name and kind, by file and byte.
fn identify_package(
    file_set: &FileSet,
    files: &[FileIndex],
    repository: &str,
) -> Result<Vec<Vec<NodeIdentity>>, StoreError> {
    // The key is the identity with ordinal 0, so equal identities always share a counter.
    let mut ordinals: HashMap<SymbolId, u32> = HashMap::new();
    let entries = files.iter().map(|&file| &file_set.entries[file.index()]);
    entries.map(|entry| Ok(identify_file(&entry.row, &*entry.outline()?, repository, &mut ordinals))).collect()
}

/// Returns the identities of a file's symbols, its own first. `ordinals` counts the definitions of the files before it.
pub(super) fn identify_file(
    row: &FileRow,
    outline: &Outline,
    repository: &str,
    ordinals: &mut HashMap<SymbolId, u32>,
) -> Vec<NodeIdentity> {
    let file = Some((row.language.as_str(), row.path.as_str()));
    let own = crate::lang::packages::symbol_name(SymbolKind::File, file, "", "");
    let own = NodeIdentity { identity: SymbolId::new(repository, own, SymbolKind::File, 0), ordinal: 0 };
    let mut identities = vec![own; outline.definitions.len() + 1];
    let mut order: Vec<usize> = (0..outline.definitions.len()).collect();
    order.sort_by_key(|&index| outline.definitions[index].span.start_byte);
    for index in order {
        let definition = &outline.definitions[index];
        let (scope, name) = (super::rows::scope_text(outline, definition), outline.names.get(definition.name));
        let full = crate::lang::packages::symbol_name(definition.kind, file, &scope, name);
        let first = SymbolId::new(repository, full, definition.kind, 0);
        let count = ordinals.entry(first).or_insert(0);
        let identity = if *count == 0 { first } else { SymbolId::new(repository, full, definition.kind, *count) };
        identities[index + 1] = NodeIdentity { identity, ordinal: *count };
        *count += 1;
    }
    identities
}
