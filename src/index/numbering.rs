//! Identities and node numbers of definitions.
//!
//! A node keeps its number as long as its identity lives, so that the rows of unchanged files stay true. Numbers that
//! become free are used again by the next run, not by this one, in which edges still speak of the old nodes.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::catalog::Catalog;
use crate::facts::Outline;
use crate::model::{SymbolId, SymbolKind};
use crate::store::{FileRow, Reader, StoreError};

/// A symbol's identity, and which one of its name it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) identity: SymbolId,
    pub(super) ordinal: u32,
}

/// Hands out node numbers.
pub(super) struct Numbers {
    free: Vec<u32>,
    next: u32,
}

impl Numbers {
    /// Numbers that no node of the store has; gaps first, so that arrays over nodes stay short.
    pub(super) fn of(reader: &Reader) -> Result<Numbers, StoreError> {
        let capacity = reader.node_capacity()?;
        if u64::from(capacity) == reader.symbol_count()? {
            return Ok(Numbers { free: Vec::new(), next: capacity });
        }
        let mut is_used = vec![false; capacity as usize];
        reader.node_ids()?.into_iter().for_each(|node| is_used[node as usize] = true);
        let free = (0..capacity).rev().filter(|&node| !is_used[node as usize]).collect();
        Ok(Numbers { free, next: capacity })
    }

    /// A number that no node has.
    pub(super) fn take(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.next += 1;
            self.next - 1
        })
    }
}

/// What numbering changed.
#[derive(Default)]
pub(super) struct Renumbered {
    /// Files whose node rows have to be written, with the names of their symbols; by place in the catalog.
    pub(super) named: BTreeMap<u32, Vec<Named>>,
    /// Nodes that are gone.
    pub(super) deleted: BTreeSet<u32>,
    /// Nodes that are new.
    pub(super) created: HashSet<u32>,
    /// Definitions of files that were not parsed, but have another node number now: file and definition, before and
    /// after.
    pub(super) moved: Vec<(u32, u32, u32, u32)>,
}

/// Numbers the definitions of every place in which a file was parsed or removed.
pub(super) fn number(
    catalog: &mut Catalog,
    removed: &[FileRow],
    repository: &str,
    numbers: &mut Numbers,
    reader: &Reader,
) -> Result<Renumbered, StoreError> {
    let mut places: BTreeMap<String, (Vec<u32>, Vec<u32>)> = BTreeMap::new();
    for entry in catalog.entries.iter().filter(|entry| entry.is_parsed()) {
        places.entry(entry.place().to_owned()).or_default();
    }
    for row in removed {
        let place = crate::lang::packages::definition_unit(&row.language, &row.path);
        places.entry(place.to_owned()).or_default().1.push(row.id);
    }
    for (number, entry) in (0_u32..).zip(&catalog.entries) {
        if let Some((members, stored)) = places.get_mut(entry.place()) {
            members.push(number);
            stored.extend((!entry.is_new).then_some(entry.row.id));
        }
    }
    let mut result = Renumbered::default();
    for (members, stored) in places.into_values() {
        let mut known: HashMap<SymbolId, u32> = HashMap::new();
        for file in stored {
            known.extend(reader.identities_of_file(file)?.into_iter().map(|(node, identity)| (identity, node)));
        }
        let named = name_place(catalog, &members, repository);
        for (file, names) in members.into_iter().zip(named) {
            place_nodes(catalog, file, names, &mut known, numbers, &mut result);
        }
        result.deleted.extend(known.into_values());
    }
    Ok(result)
}

/// Gives one file's symbols their numbers, taking those that `known` has.
fn place_nodes(
    catalog: &mut Catalog,
    file: u32,
    names: Vec<Named>,
    known: &mut HashMap<SymbolId, u32>,
    numbers: &mut Numbers,
    result: &mut Renumbered,
) {
    let entry = &mut catalog.entries[file as usize];
    let nodes: Vec<u32> = names
        .iter()
        .map(|named| {
            known.remove(&named.identity).unwrap_or_else(|| {
                let node = numbers.take();
                result.created.insert(node);
                node
            })
        })
        .collect();
    if !entry.is_parsed() {
        let pairs = (0_u32..).zip(entry.nodes.iter().zip(&nodes));
        let moved = pairs.filter(|(_, (before, after))| before != after);
        result.moved.extend(moved.map(|(place, (&before, &after))| (file, place, before, after)));
    }
    if entry.is_parsed() || entry.nodes != nodes {
        result.named.insert(file, names);
    }
    entry.nodes = nodes;
}

/// The names of every file's symbols, by place in the catalog, which holds all files of every place that it holds any of.
pub(super) fn names(catalog: &Catalog, repository: &str) -> Vec<(u32, Vec<Named>)> {
    let mut places: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for (file, entry) in (0_u32..).zip(&catalog.entries) {
        places.entry(entry.place()).or_default().push(file);
    }
    let of_place = |files: Vec<u32>| {
        let names = name_place(catalog, &files, repository);
        files.into_iter().zip(names)
    };
    places.into_values().flat_map(of_place).collect()
}

/// Identities of the symbols of files that share a place. Files come in order of path; a definition's ordinal counts those
/// of its name and kind before it, by file and byte.
fn name_place(catalog: &Catalog, files: &[u32], repository: &str) -> Vec<Vec<Named>> {
    // Counted by the very identity that the first of a name has, so that no two counts can give one identity.
    let mut seen: HashMap<SymbolId, u32> = HashMap::new();
    let entries = files.iter().map(|&file| &catalog.entries[file as usize]);
    entries.map(|entry| name_file(&entry.row, &entry.outline, repository, &mut seen)).collect()
}

/// Identities of a file's symbols, its own first. `seen` counts those of each name and kind in the files before it.
pub(super) fn name_file(
    row: &FileRow,
    outline: &Outline,
    repository: &str,
    seen: &mut HashMap<SymbolId, u32>,
) -> Vec<Named> {
    let place = Some((row.language.as_str(), row.path.as_str()));
    let own = crate::lang::packages::symbol_name(SymbolKind::File, place, "", "");
    let own = Named { identity: SymbolId::new(repository, own, SymbolKind::File, 0), ordinal: 0 };
    let mut names = vec![own; outline.definitions.len() + 1];
    let mut order: Vec<usize> = (0..outline.definitions.len()).collect();
    order.sort_by_key(|&index| outline.definitions[index].span.start_byte);
    for index in order {
        let definition = &outline.definitions[index];
        let (scope, name) = (super::rows::scope_text(outline, definition), outline.names.get(definition.name));
        let full = crate::lang::packages::symbol_name(definition.kind, place, &scope, name);
        let first = SymbolId::new(repository, full, definition.kind, 0);
        let count = seen.entry(first).or_insert(0);
        let identity = if *count == 0 { first } else { SymbolId::new(repository, full, definition.kind, *count) };
        names[index + 1] = Named { identity, ordinal: *count };
        *count += 1;
    }
    names
}
