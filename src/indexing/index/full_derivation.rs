//! The incremental path for all other edits, and rebuilds: derives every edge of the graph again.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use rayon::ThreadPool;

use super::declared;
use super::derived::{self, Graph, NodePositions, SIMILAR};
use super::edge_slots::{self, EdgeDiff, Slots};
use super::error::IndexError;
use super::file_set::FileSet;
use super::history::HISTORY_STEPS;
use super::lazy_facts::LazyFacts;
use super::linking::{FilelessKey, FilelessNodes, RESOLVED};
use super::node_ids::NodeIdAllocator;
use super::report::{Clock, Phase};
use super::resolved::Resolved;
use super::update::Update;
use super::{snapshot, write};
use crate::model::{EdgeType, FileId, NodeId, SymbolKind};
use crate::resolve::input::Manifest;
use crate::store::{EdgeRow, FileRow, PackedEdges, StoreError, Writer};

/// File id of symbols without a file, as in the store.
const NO_FILE: FileId = FileId::NONE;
/// File id of unused node ids.
const NO_NODE: FileId = FileId::MAX;

/// Every edge of the graph.
type EdgeLists = [Vec<EdgeRow>; 3];

/// The number of symbols of each kind.
type SymbolCounts = BTreeMap<SymbolKind, u64>;

/// The inputs of a full derivation.
pub(super) struct FullDerivation<'a> {
    pub(super) update: &'a Update<'a>,
    pub(super) file_set: &'a mut FileSet,
    pub(super) resolved: &'a Resolved,
    pub(super) removed: &'a [FileRow],
    pub(super) manifests: &'a [Manifest],
}

impl FullDerivation<'_> {
    /// Derives every edge and writes the differences: edges, nodes without a definition, counts and Merkle roots.
    /// `linked` are the edges of the files resolved in this run. Drops the facts of all files.
    pub(super) fn write(
        self,
        linked: Vec<EdgeRow>,
        fileless: &mut FilelessNodes,
        allocator: &mut NodeIdAllocator,
        writer: &mut Writer,
        clock: &mut Clock,
    ) -> Result<(), IndexError> {
        let old = writer.reader().packed_edges()?;
        let files = self.files(fileless);
        let still_valid = self.still_valid(&old, &files, writer)?;
        drop(files);
        let folders: BTreeSet<String> = folders(fileless).map(|(folder, _)| folder.to_owned()).collect();
        let (lists, symbols) = self.edges(linked, still_valid, fileless, allocator, writer)?;
        let packages = self.update.changed_packages(self.file_set, self.removed);
        let packages: BTreeSet<String> = packages.into_iter().map(str::to_owned).collect();
        // They are the most of what a run has in memory. The threads of the pool have allocated them, and can use it again.
        self.file_set.drop_facts();
        let (files, pool) = (self.files(fileless), self.update.pool);
        let mut slots = pool.install(|| slots(lists, &files, pool));
        drop(files);
        clock.end(Phase::Derive);

        let writing = self.update.writing;
        let history = if self.update.is_new { HISTORY_STEPS * self.file_set.entries.len() } else { 0 };
        writing.expect(slots.len() + history);
        writer.put_counts(&symbols, &edge_counts(&slots))?;
        let diff = edge_slots::replace(writer, &mut slots, &old, (self.update.pool, writing))?;
        self.removed.iter().try_for_each(|row| writer.delete_file(row.id))?;
        let changed = self.changed_roots(packages, &diff, (&folders, fileless));
        let files = self.file_set.entries.iter().map(|entry| &entry.row);
        snapshot::write(writer, files, (!self.update.is_new).then_some(&changed))?;
        Ok(())
    }

    /// Returns every edge of the graph, in three lists, and the number of symbols of each kind. Also writes the nodes without
    /// a definition that the edges need.
    fn edges(
        &self,
        linked: Vec<EdgeRow>,
        still_valid: Vec<EdgeRow>,
        fileless: &mut FilelessNodes,
        allocator: &mut NodeIdAllocator,
        writer: &mut Writer,
    ) -> Result<(EdgeLists, SymbolCounts), IndexError> {
        let (file_set, pool) = (&*self.file_set, self.update.pool);
        let repository = self.update.repository;
        let (folders, mut package_names) = derived::packages(file_set, repository)?;
        let packages: Vec<Option<NodeId>> = folders
            .iter()
            .map(|folder| folder.as_ref().map(|folder| fileless.node(SymbolKind::Package, None, folder, allocator)))
            .collect();
        let owners = self.update.owners;
        let owned = owners.map_or_else(Vec::new, |owners| declared::owned_by(file_set, owners, fileless, allocator));
        let required = declared::depends_on(self.manifests, repository, fileless, allocator, &mut package_names);
        // They are the largest list of a run, so growing it must not double it.
        let mut edges = linked;
        edges.reserve_exact(owned.len() + required.len() + still_valid.len());
        [owned, required, still_valid].into_iter().for_each(|list| edges.extend(list));
        let mut is_needed = Vec::new();
        let endpoints = edges.iter().flat_map(|edge| [edge.source, edge.target]);
        for node in endpoints.chain(packages.iter().flatten().copied()) {
            if is_needed.len() <= node.index() {
                is_needed.resize(node.index() + 1, false);
            }
            is_needed[node.index()] = true;
        }
        let unneeded = fileless.retain(|_, node| is_needed.get(node.index()) == Some(&true));
        write::fileless_nodes(writer, fileless, &unneeded, Some(&package_names))?;
        let sorted = fileless.sorted();
        let positions = NodePositions::new(file_set, &sorted);
        let facts = LazyFacts::new(file_set, None);
        let (positions, targets) = (&positions, &self.resolved.targets);
        let graph = Graph { file_set, facts: &facts, fileless: &sorted, positions, packages: &packages, targets };
        let (derived, symbols) = pool.install(|| graph.derived_edges(&edges));
        if let Some(problem) = facts.into_error() {
            return Err(problem.into());
        }
        let changed: BTreeSet<&str> = self.update.changed_packages(file_set, self.removed);
        let similar = derived::similar_edges(file_set, &changed, writer.reader(), pool)?;
        Ok(([edges, derived, similar], symbols))
    }

    /// Returns the stored edges that are still valid: both endpoints exist and their inputs did not change. `files` are
    /// indexed by node.
    fn still_valid(&self, old: &[PackedEdges], files: &[FileId], writer: &Writer) -> Result<Vec<EdgeRow>, StoreError> {
        let file_set = &*self.file_set;
        let resolved_ids: HashSet<FileId> =
            self.resolved.files.iter().map(|&file| file_set.entries[file.index()].row.id).collect();
        let packages: BTreeSet<&str> = self.update.changed_packages(file_set, self.removed);
        let changed = file_set.entries.iter().filter(|entry| packages.contains(entry.package()));
        let changed: HashSet<FileId> = changed.map(|entry| entry.row.id).collect();
        let file_of = |node: NodeId| files.get(node.index()).copied().unwrap_or(NO_NODE);
        let is_valid = |edge: &EdgeRow| match file_of(edge.source) {
            NO_FILE | NO_NODE => false,
            file => {
                file_of(edge.target) != NO_NODE
                    && !if edge.layer == RESOLVED { &resolved_ids } else { &changed }.contains(&file)
            }
        };
        let mut still_valid = Vec::new();
        for packed in old.iter().filter(|packed| [RESOLVED, SIMILAR].contains(&packed.slot.layer)) {
            still_valid.extend(writer.reader().unpack(packed)?.into_iter().filter(is_valid));
        }
        Ok(still_valid)
    }

    /// Returns the file id of each node, [`NO_NODE`] for unused node ids.
    fn files(&self, fileless: &FilelessNodes) -> Vec<FileId> {
        let definitions =
            self.file_set.entries.iter().flat_map(|entry| entry.nodes.iter().map(|&node| (node, entry.row.id)));
        let ids: HashSet<FileId> = self.file_set.entries.iter().map(|entry| entry.row.id).collect();
        let file_of =
            |key: &FilelessKey| key.file.map_or(NO_FILE, |file| if ids.contains(&file) { file } else { NO_NODE });
        let fileless_nodes = fileless.sorted().into_iter().map(|(key, node)| (node, file_of(key)));
        let mut files = Vec::new();
        for (node, file) in definitions.chain(fileless_nodes) {
            if files.len() <= node.index() {
                files.resize(node.index() + 1, NO_NODE);
            }
            files[node.index()] = file;
        }
        files
    }

    /// Returns the packages whose Merkle roots may differ: those in which a file was `changed`, and others. The root of symbols
    /// without a package (`""`) always may, since they depend on edges of other files.
    fn changed_roots(
        &self,
        mut changed: BTreeSet<String>,
        diff: &EdgeDiff,
        (folders_before, fileless): (&BTreeSet<String>, &FilelessNodes),
    ) -> BTreeSet<String> {
        changed.insert(String::new());
        let files = self.file_set.entries.iter().filter(|entry| diff.files.contains(&entry.row.id));
        changed.extend(files.map(|entry| entry.package().to_owned()));
        let is_changed = |node: NodeId| diff.fileless.contains(&node) || fileless.is_new(node);
        changed.extend(folders(fileless).filter(|(_, node)| is_changed(*node)).map(|(folder, _)| folder.to_owned()));
        let now: BTreeSet<&str> = folders(fileless).map(|(folder, _)| folder).collect();
        changed.extend(folders_before.iter().filter(|folder| !now.contains(folder.as_str())).cloned());
        changed
    }
}

/// Returns the folders that are packages, with their nodes.
fn folders(fileless: &FilelessNodes) -> impl Iterator<Item = (&str, NodeId)> {
    let packages = fileless.iter().filter(|(key, _)| key.kind == SymbolKind::Package);
    packages.map(|(key, node)| (key.name.as_str(), node))
}

/// Divides edges by slot. `files` are indexed by node.
fn slots(lists: EdgeLists, files: &[FileId], pool: &ThreadPool) -> Slots {
    let mut slots = Slots::new();
    // Each list is dropped as soon as it is divided.
    for list in lists {
        edge_slots::add_edges(&mut slots, &list, |node| files.get(node.index()).copied().unwrap_or(NO_FILE));
    }
    edge_slots::sort_and_dedup(&mut slots, pool);
    slots
}

/// Counts the edges of each type.
fn edge_counts(slots: &Slots) -> BTreeMap<EdgeType, u64> {
    let mut types: BTreeMap<EdgeType, u64> = BTreeMap::new();
    for edge in slots.values().flatten() {
        *types.entry(edge.edge_type).or_insert(0) += 1;
    }
    types
}
