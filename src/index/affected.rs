//! Which files must be resolved again after a change.
//!
//! A file's outcome depends on the meaning of the names that it mentions, on the definitions that it consulted, and on
//! the names in files through whose expressions it looked. Whatever touches one of these makes it resolve again; what
//! touches how modules are found (the set of files, manifests, extension blocks) makes a whole language do so.

use std::collections::{BTreeSet, HashMap, HashSet};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::catalog::{Catalog, Entry};
use super::codes::Codes;
use super::numbering::Renumbered;
use crate::facts::{Interface, NameKey, Outline};
use crate::resolve::input::CodeSource;
use crate::resolve::output::Unresolved;
use crate::store::{Reader, StoreError};

/// On what a file's resolution depended, and what it left unresolved.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Dependencies {
    /// Nodes of definitions in other files.
    pub(super) consulted: Vec<u32>,
    /// Ids of other files.
    pub(super) visited: Vec<u32>,
    pub(super) unresolved: Vec<(Unresolved, u32)>,
}

/// What changed in a way that other files can notice.
#[derive(Default)]
pub(super) struct Changes {
    names: HashSet<NameKey>,
    nodes: HashSet<u32>,
    /// Languages of which every file is affected.
    pub(super) languages: BTreeSet<&'static str>,
}

impl Changes {
    /// Compares the parsed files with what the store had of them.
    pub(super) fn find(
        catalog: &Catalog,
        codes: &Codes,
        renumbered: &Renumbered,
        reader: &Reader,
    ) -> Result<Changes, StoreError> {
        let mut changes = Changes::default();
        for (file, entry) in (0_u32..).zip(&catalog.entries).filter(|(_, entry)| entry.is_parsed()) {
            if entry.is_new {
                changes.languages.insert(entry.language.name);
            } else if !changes.languages.contains(entry.language.name) {
                changes.compare(entry, &Interface::from_facts(&entry.outline, codes.code(file)), reader)?;
            }
        }
        for &(file, place, before, after) in &renumbered.moved {
            changes.nodes.extend([before, after]);
            let entry = &catalog.entries[file as usize];
            if let Some(definition) =
                place.checked_sub(1).and_then(|index| entry.outline.definitions.get(index as usize))
            {
                changes.names.insert(entry.outline.names.key(definition.name));
            }
        }
        Ok(changes)
    }

    fn compare(&mut self, entry: &Entry, now: &Interface, reader: &Reader) -> Result<(), StoreError> {
        let id = entry.row.id;
        let (Some(outline), Some(code), Some(placement)) =
            (reader.outline_blob(id)?, reader.code_blob(id)?, reader.placement_blob(id)?)
        else {
            self.languages.insert(entry.language.name);
            return Ok(());
        };
        let outline: Outline = outline.unpack()?;
        let before = Interface::from_facts(&outline, &code.unpack()?);
        let nodes = super::placement::unpack_placement(&placement)?;
        if before.headers != now.headers {
            self.languages.insert(entry.language.name);
        }
        let old = facts_by_node(&nodes, &outline, &before);
        let new = facts_by_node(&entry.nodes, &entry.outline, now);
        for (one, other) in [(&old, &new), (&new, &old)] {
            for (node, fact) in one.iter().filter(|(node, fact)| other.get(*node) != Some(*fact)) {
                self.nodes.insert(*node);
                self.names.insert(fact.0);
            }
        }
        let (old, new): (BTreeSet<_>, BTreeSet<_>) =
            (before.bindings.iter().copied().collect(), now.bindings.iter().copied().collect());
        self.names.extend(old.symmetric_difference(&new).map(|(name, _)| *name));
        Ok(())
    }

    /// True when no file but the parsed ones can notice anything.
    pub(super) fn is_local(&self) -> bool {
        self.names.is_empty() && self.nodes.is_empty() && self.languages.is_empty()
    }

    /// Places in the catalog of the files to be resolved, sorted.
    pub(super) fn affected(
        &self,
        catalog: &Catalog,
        renumbered: &Renumbered,
        reader: &Reader,
        pool: &rayon::ThreadPool,
    ) -> Result<Vec<u32>, StoreError> {
        let mut affected: BTreeSet<u32> = renumbered.named.keys().copied().collect();
        if self.is_local() {
            return Ok(affected.into_iter().collect());
        }
        let by_id: HashMap<u32, u32> =
            (0_u32..).zip(&catalog.entries).map(|(file, entry)| (entry.row.id, file)).collect();
        let mentions: Vec<bool> = pool.install(|| {
            let keys = |entry: &Entry| {
                entry.outline.names.iter().any(|name| self.names.contains(&crate::facts::name_key(name)))
            };
            catalog.entries.par_iter().map(keys).collect()
        });
        let blobs = reader.resolution_blobs()?;
        let depends: Result<Vec<Option<u32>>, StoreError> = pool.install(|| {
            blobs
                .par_iter()
                .map(|blob| {
                    let Some(&file) = by_id.get(&blob.file) else { return Ok(None) };
                    let known: Dependencies = blob.unpack()?;
                    let visited_mentions =
                        || known.visited.iter().any(|id| by_id.get(id).is_none_or(|&other| mentions[other as usize]));
                    let consulted_changed = || known.consulted.iter().any(|node| self.nodes.contains(node));
                    Ok((consulted_changed() || visited_mentions()).then_some(file))
                })
                .collect()
        });
        affected.extend(depends?.into_iter().flatten());
        for (file, entry) in (0_u32..).zip(&catalog.entries) {
            if mentions[file as usize] || self.languages.contains(entry.language.name) {
                affected.insert(file);
            }
        }
        Ok(affected.into_iter().collect())
    }
}

/// Name and fingerprint of each definition by its node.
fn facts_by_node(nodes: &[u32], outline: &Outline, interface: &Interface) -> HashMap<u32, (NameKey, u64)> {
    let definitions = outline.definitions.iter().zip(&interface.definitions);
    let facts = definitions.map(|(definition, &fingerprint)| (outline.names.key(definition.name), fingerprint));
    nodes.iter().skip(1).copied().zip(facts).collect()
}
