//! Selects the files to resolve again after a change.
//!
//! Resolving a file depends on the meaning of the names that it mentions, on the definitions that it consulted, and on
//! the names in files through whose expressions it looked. A change of any of these affects the file. A change of how
//! modules are found (the set of files, manifests, extension blocks) affects every file of a language.

use std::collections::{BTreeSet, HashMap, HashSet};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::catalog::{Catalog, Entry};
use super::lazy_code::LazyCode;
use super::node_ids::NodeChanges;
use crate::facts::{Interface, NameKey, Outline};
use crate::model::{FileId, FileIndex, NodeId};
use crate::resolve::input::CodeSource;
use crate::resolve::output::Unresolved;
use crate::store::{Reader, StoreError};

/// The dependencies of a file's resolution, and its unresolved references.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Dependencies {
    /// Nodes of definitions in other files.
    pub(super) consulted: Vec<NodeId>,
    /// Ids of other files.
    pub(super) visited: Vec<FileId>,
    pub(super) unresolved: Vec<(Unresolved, u32)>,
}

/// Changes that are visible to other files.
#[derive(Default)]
pub(super) struct Changes {
    names: HashSet<NameKey>,
    nodes: HashSet<NodeId>,
    /// Languages of which every file is affected.
    pub(super) languages: BTreeSet<&'static str>,
}

impl Changes {
    /// Compares the parsed files with their stored facts.
    pub(super) fn between(
        catalog: &Catalog,
        codes: &LazyCode,
        node_changes: &NodeChanges,
        reader: &Reader,
    ) -> Result<Changes, StoreError> {
        let mut changes = Changes::default();
        for (file, entry) in FileIndex::sequence().zip(&catalog.entries).filter(|(_, entry)| entry.is_parsed()) {
            if entry.is_new {
                changes.languages.insert(entry.language.name);
            } else if !changes.languages.contains(entry.language.name) {
                changes.add_changes_of(entry, &Interface::from_facts(&entry.outline, codes.code(file)), reader)?;
            }
        }
        for &(file, index, before, after) in &node_changes.moved {
            changes.nodes.extend([before, after]);
            let entry = &catalog.entries[file.index()];
            if let Some(definition) =
                index.checked_sub(1).and_then(|index| entry.outline.definitions.get(index as usize))
            {
                changes.names.insert(entry.outline.names.key(definition.name));
            }
        }
        Ok(changes)
    }

    fn add_changes_of(&mut self, entry: &Entry, now: &Interface, reader: &Reader) -> Result<(), StoreError> {
        let id = entry.row.id;
        let (Some(outline), Some(code), Some(nodes_blob)) =
            (reader.outline_blob(id)?, reader.code_blob(id)?, reader.file_nodes_blob(id)?)
        else {
            self.languages.insert(entry.language.name);
            return Ok(());
        };
        let (outline, bounds) = outline.outline()?;
        let before = Interface::from_facts(&outline, &code.code(&bounds)?);
        let nodes = super::file_nodes::unpack_node_ids(&nodes_blob)?;
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

    /// Returns whether no file but the parsed ones can be affected.
    pub(super) fn is_local(&self) -> bool {
        self.names.is_empty() && self.nodes.is_empty() && self.languages.is_empty()
    }

    /// Returns the files to resolve, sorted.
    pub(super) fn affected(
        &self,
        catalog: &Catalog,
        node_changes: &NodeChanges,
        reader: &Reader,
        pool: &rayon::ThreadPool,
    ) -> Result<Vec<FileIndex>, StoreError> {
        let mut affected: BTreeSet<FileIndex> = node_changes.identities.keys().copied().collect();
        if self.is_local() {
            return Ok(affected.into_iter().collect());
        }
        let by_id: HashMap<FileId, FileIndex> =
            FileIndex::sequence().zip(&catalog.entries).map(|(file, entry)| (entry.row.id, file)).collect();
        let mentions: Vec<bool> = pool.install(|| {
            let keys = |entry: &Entry| {
                entry.outline.names.iter().any(|name| self.names.contains(&crate::facts::name_key(name)))
            };
            catalog.entries.par_iter().map(keys).collect()
        });
        let blobs = reader.resolution_blobs()?;
        let depends: Result<Vec<Option<FileIndex>>, StoreError> = pool.install(|| {
            blobs
                .par_iter()
                .map(|blob| {
                    let Some(&file) = by_id.get(&blob.file) else { return Ok(None) };
                    let dependencies: Dependencies = blob.unpack()?;
                    let visited_mentions = || {
                        dependencies.visited.iter().any(|id| by_id.get(id).is_none_or(|&other| mentions[other.index()]))
                    };
                    let consulted_changed = || dependencies.consulted.iter().any(|node| self.nodes.contains(node));
                    Ok((consulted_changed() || visited_mentions()).then_some(file))
                })
                .collect()
        });
        affected.extend(depends?.into_iter().flatten());
        for (file, entry) in FileIndex::sequence().zip(&catalog.entries) {
            if mentions[file.index()] || self.languages.contains(entry.language.name) {
                affected.insert(file);
            }
        }
        Ok(affected.into_iter().collect())
    }
}

/// Returns name and fingerprint of each definition, by node.
fn facts_by_node(nodes: &[NodeId], outline: &Outline, interface: &Interface) -> HashMap<NodeId, (NameKey, u64)> {
    let definitions = outline.definitions.iter().zip(&interface.definitions);
    let facts = definitions.map(|(definition, &fingerprint)| (outline.names.key(definition.name), fingerprint));
    nodes.iter().skip(1).copied().zip(facts).collect()
}
