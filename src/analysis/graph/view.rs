//! The graph as input of derivation: arrays in canonical order.
//!
//! The position in these arrays is the number of a node. Files are ordered by path, definitions by their position in
//! the file. Ties broken by position are therefore independent of the store's node numbers and of the order of
//! indexing.

use crate::facts::{Definition, Outline};
use crate::lang::packages::definition_unit;
use crate::model::{Edge, FileIndex, NodeId, SymbolKind};

/// Number for "no file" and "no package".
pub const NONE: FileIndex = FileIndex::MAX;

/// The names and definitions of nodes. Few passes read them, and of few nodes, so they are loaded on first use.
pub trait NodeFacts: Sync {
    /// Returns the name of the node at a position.
    fn name(&self, position: NodeId) -> &str;

    /// Returns the outline of a node's file and its definition; `None` for symbols without one.
    fn defined(&self, position: NodeId) -> Option<(&Outline, &Definition)>;
}

/// A symbol. There is one for each definition of the repository.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    pub kind: SymbolKind,
    /// Position of its file in [`GraphView::files`]; [`NONE`] for externals, packages and other symbols without a file.
    pub file: FileIndex,
    /// The type of which it is a member. The type can be in another file (Go methods, Rust `impl` blocks).
    pub container: Option<NodeId>,
    /// The innermost enclosing definition in the same file; for a file, its package. `None` for a top-level definition,
    /// whose owner is its file.
    pub parent: Option<NodeId>,
    pub is_test: bool,
    /// Whether it has no body.
    pub is_abstract: bool,
    /// The signature's shape, see [`method_shape`](crate::lang::packages::method_shape); 0 is unknown and matches every
    /// shape.
    pub shape: u64,
}

/// A file with definitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileNode<'a> {
    pub path: &'a str,
    /// Name of its language in the registry.
    pub language: &'a str,
    /// Position of the file's own symbol.
    pub node: NodeId,
}

impl<'a> FileNode<'a> {
    /// Returns the path of the package: the folder or the file, depending on the language.
    pub fn package(&self) -> &'a str {
        definition_unit(self.language, self.path)
    }
}

/// The input of the passes over the whole graph.
#[derive(Clone, Copy)]
pub struct GraphView<'a> {
    /// Symbols of files in canonical order, then those without a file by kind and name.
    pub nodes: &'a [Node],
    pub facts: &'a dyn NodeFacts,
    pub files: &'a [FileNode<'a>],
    /// Resolved edges by positions, sorted by source, target and type. Their targets can be external; derived edges are
    /// not included.
    pub edges: &'a [Edge],
}

impl<'a> GraphView<'a> {
    /// Returns the node at a position.
    pub fn node(&self, position: NodeId) -> &Node {
        &self.nodes[position.index()]
    }

    /// Returns the name of a node.
    pub fn name(&self, position: NodeId) -> &'a str {
        self.facts.name(position)
    }

    /// Returns the outline of a node's file and its definition, if it has one.
    pub fn defined(&self, position: NodeId) -> Option<(&'a Outline, &'a Definition)> {
        self.facts.defined(position)
    }

    /// Returns the name of the language of a node's file; empty without a file.
    pub fn language(&self, position: NodeId) -> &'a str {
        self.files.get(self.node(position).file.index()).map_or("", |file| file.language)
    }

    /// Returns the positions of all nodes.
    pub fn positions(&self) -> impl Iterator<Item = NodeId> + use<'a> {
        NodeId::sequence().take(self.nodes.len())
    }
}
