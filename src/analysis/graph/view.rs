//! The graph as input of derivation: arrays in canonical order.
//!
//! The position in these arrays is the number of a node. Files are ordered by path, definitions by their position in
//! the file. Ties broken by position are therefore independent of the store's node numbers and of the order of
//! indexing.

use crate::facts::{Definition, Outline};
use crate::lang::packages::definition_unit;
use crate::model::{DefId, Edge, FileIndex, NodeId, SymbolKind};

/// Number for "no file" and "no package".
pub const NONE: FileIndex = FileIndex::MAX;

/// A symbol.
#[derive(Debug, Clone, Copy)]
pub struct Node<'a> {
    pub name: &'a str,
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
    /// Its definition; `None` for symbols without one.
    pub definition: Option<(&'a Outline, DefId)>,
}

impl<'a> Node<'a> {
    /// Returns the outline of its file and its definition, if it has one.
    pub fn defined(&self) -> Option<(&'a Outline, &'a Definition)> {
        let (outline, id) = self.definition?;
        Some((outline, outline.definitions.get(id.index())?))
    }
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
#[derive(Debug, Clone, Copy)]
pub struct GraphView<'a> {
    /// Symbols of files in canonical order, then those without a file by kind and name.
    pub nodes: &'a [Node<'a>],
    pub files: &'a [FileNode<'a>],
    /// Resolved edges by positions, sorted by source, target and type. Their targets can be external; derived edges are
    /// not included.
    pub edges: &'a [Edge],
}

impl<'a> GraphView<'a> {
    /// Returns the node at a position.
    pub fn node(&self, position: NodeId) -> &Node<'a> {
        &self.nodes[position.index()]
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
