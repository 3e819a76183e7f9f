//! The edges between symbols and their owners that an edit adds and removes, if it changes no other derived edges: that is so
//! where [`derive::is_only_a_member`] returns true for each new and each deleted symbol.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::derived::DERIVED;
use super::edge_slots::Slots;
use super::file_set::{Entry, FileSet};
use super::node_ids::NodeChanges;
use crate::facts::{Container, Definition, Outline};
use crate::graph::derive;
use crate::model::{DefId, Edge, EdgeType, FileId, NodeId, SymbolKind};
use crate::store::{EdgeRow, PackedEdges, Reader, Slot, StoreError, stored_confidence, unpack_node_ids};

/// Changes of the number of symbols, by kind.
pub(super) type KindCounts = BTreeMap<SymbolKind, i64>;

/// The new and the deleted symbols of an edit, with their owners.
#[derive(Debug, Default)]
pub(super) struct Memberships {
    created: Vec<Member>,
    deleted: Vec<Member>,
}

/// A symbol.
#[derive(Debug, Clone, Copy)]
struct Member {
    file: FileId,
    node: NodeId,
    owner: NodeId,
    kind: SymbolKind,
}

impl Memberships {
    /// Returns the new and the deleted symbols; `None` if derivation may read anything else about symbols that changed. The types
    /// that extension blocks extend are not compared. Must be called before rows are written.
    pub(super) fn changed(
        file_set: &FileSet,
        node_changes: &NodeChanges,
        reader: &Reader,
    ) -> Result<Option<Memberships>, StoreError> {
        let has_changes = !(node_changes.created.is_empty() && node_changes.deleted.is_empty());
        if !node_changes.moved.is_empty() || has_changes && may_compare_names(file_set, reader)? {
            return Ok(None);
        }
        let mut memberships = Memberships::default();
        for entry in file_set.entries.iter().filter(|entry| entry.is_parsed()) {
            let (Some(outline), Some(nodes_blob)) =
                (reader.outline_blob(entry.row.id)?, reader.file_nodes_blob(entry.row.id)?)
            else {
                return Ok(None);
            };
            let (old, new) = (outline.outline()?.0, entry.outline()?);
            let old = Symbols::new(&old, unpack_node_ids(&nodes_blob)?);
            let new = Symbols::new(&new, entry.nodes.clone());
            let (Some(deleted), Some(created)) = (old.without(&new, entry), new.without(&old, entry)) else {
                return Ok(None);
            };
            if !old.has_equal(&new) {
                return Ok(None);
            }
            memberships.created.extend(created);
            memberships.deleted.extend(deleted);
        }
        // In languages whose package is a folder, a symbol of a file that is not parsed can get another identity.
        let are_all = memberships.created.len() == node_changes.created.len()
            && memberships.deleted.len() == node_changes.deleted.len();
        Ok(are_all.then_some(memberships))
    }

    /// Adds the changes of the numbers of symbols.
    pub(super) fn count(&self, counts: &mut KindCounts) {
        for (members, step) in [(&self.created, 1), (&self.deleted, -1)] {
            members.iter().for_each(|member| *counts.entry(member.kind).or_insert(0) += step);
        }
    }

    /// Adds the derived edges of the files with changes to `slots`, and their stored edges to `old`.
    pub(super) fn add(&self, slots: &mut Slots, old: &mut Vec<PackedEdges>, reader: &Reader) -> Result<(), StoreError> {
        let deleted: HashSet<NodeId> = self.deleted.iter().map(|member| member.node).collect();
        let files: HashSet<FileId> = self.created.iter().chain(&self.deleted).map(|member| member.file).collect();
        for file in files {
            let slot = Slot { file, layer: DERIVED };
            let edges = slots.entry(slot).or_default();
            if let Some(packed) = reader.packed_edges_of_slot(slot)? {
                edges.extend(reader.unpack(&packed)?);
                edges.retain(|edge| !deleted.contains(&edge.source) && !deleted.contains(&edge.target));
                old.push(packed);
            }
        }
        for Member { file, node, owner, .. } in &self.created {
            let edges = slots.entry(Slot { file: *file, layer: DERIVED }).or_default();
            edges.extend(derive::membership::between(*owner, *node).map(row));
        }
        Ok(())
    }
}

/// Returns the row of a derived edge between nodes.
fn row(edge: Edge) -> EdgeRow {
    let Edge { source, edge_type, target, provenance, confidence } = edge;
    EdgeRow { source, edge_type, target, provenance, confidence: stored_confidence(confidence), layer: DERIVED }
}

/// Returns whether a pass may find a symbol by its name. Names are compared with the operations of files such as OpenAPI's, too;
/// a repository with any request of an endpoint counts as one with such a file.
fn may_compare_names(file_set: &FileSet, reader: &Reader) -> Result<bool, StoreError> {
    let has_requests = reader.edge_counts()?.iter().any(|(edge_type, _)| *edge_type == EdgeType::ConsumesEndpoint);
    Ok(has_requests || file_set.entries.iter().any(|entry| derive::compares_names(entry.language.name)))
}

/// The symbols of a file.
struct Symbols<'a> {
    outline: &'a Outline,
    /// The node of the file, then those of its definitions.
    nodes: Vec<NodeId>,
    definitions: HashMap<NodeId, &'a Definition>,
}

impl<'a> Symbols<'a> {
    fn new(outline: &'a Outline, nodes: Vec<NodeId>) -> Symbols<'a> {
        let definitions = nodes.iter().skip(1).copied().zip(&outline.definitions).collect();
        Symbols { outline, nodes, definitions }
    }

    fn node(&self, definition: DefId) -> Option<NodeId> {
        self.nodes.get(definition.index() + 1).copied()
    }

    /// Returns the symbols that another version of the file does not have; `None` if [`derive::is_only_a_member`] does not hold for
    /// one of them.
    fn without(&self, other: &Symbols<'_>, entry: &Entry) -> Option<Vec<Member>> {
        let missing = self.definitions.iter().filter(|(node, _)| !other.definitions.contains_key(node));
        let member = |(node, definition): (&NodeId, &&Definition)| {
            let owner = match definition.container {
                Container::Definition(owner) => Some(owner),
                Container::Module | Container::Extension(_) => definition.parent,
            };
            let owner = owner.map_or(self.nodes.first().copied(), |owner| self.node(owner))?;
            let is_test = self.outline.is_test || definition.flags.is_test;
            let is_plain = !is_test && derive::is_only_a_member(definition, entry.language);
            is_plain.then_some(Member { file: entry.row.id, node: *node, owner, kind: definition.kind })
        };
        missing.map(member).collect()
    }

    /// Returns whether derivation reads the same of the symbols that both versions of the file have, in the same order.
    fn has_equal(&self, new: &Symbols<'_>) -> bool {
        let kept = |of: &Symbols<'_>, other: &Symbols<'_>| -> Vec<NodeId> {
            of.nodes.iter().skip(1).copied().filter(|node| other.definitions.contains_key(node)).collect()
        };
        let (before, after) = (kept(self, new), kept(new, self));
        self.nodes.first() == new.nodes.first()
            && self.outline.is_test == new.outline.is_test
            && self.package() == new.package()
            && before == after
            && before.iter().all(|node| self.inputs(*node) == new.inputs(*node))
    }

    /// Returns the name of the package that the file declares.
    fn package(&self) -> Option<&str> {
        self.outline.package.map(|name| self.outline.names.get(name))
    }

    /// Returns what derivation reads of a symbol.
    fn inputs(&self, node: NodeId) -> Option<Inputs<'_>> {
        let definition = self.definitions.get(&node)?;
        let (container, block) = match definition.container {
            Container::Module => (None, None),
            Container::Definition(owner) => (self.node(owner), None),
            Container::Extension(block) => (None, Some(block.0)),
        };
        let parameters = definition.parameters.iter().flat_map(|parameter| [parameter.label, parameter.type_name]);
        let names = parameters.chain(definition.type_parameters.iter().map(|parameter| Some(parameter.name)));
        let flags = &definition.flags;
        Some(Inputs {
            kind: definition.kind,
            container,
            block,
            parent: definition.parent.and_then(|parent| self.node(parent)),
            flags: [flags.is_test, flags.is_abstract, flags.is_static],
            signature: if definition.kind == SymbolKind::Method { &definition.signature } else { "" },
            texts: names.map(|name| name.map_or("", |name| self.outline.names.get(name))).collect(),
        })
    }
}

/// The facts about a symbol that derivation reads.
#[derive(PartialEq)]
struct Inputs<'a> {
    kind: SymbolKind,
    container: Option<NodeId>,
    block: Option<u32>,
    parent: Option<NodeId>,
    flags: [bool; 3],
    signature: &'a str,
    texts: Vec<&'a str>,
}
