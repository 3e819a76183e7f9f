//! The graph as derivation sees it: plain arrays in one canonical order.
//!
//! Positions in these arrays number the nodes. The order is canonical, files by path and definitions by their place in
//! the file, so that a tie broken by position is broken the same way whichever numbers a store gives its nodes, and
//! whatever was indexed first.

use crate::model::identity::definition_unit;
use crate::model::{Edge, FileIndex, NodeId, SymbolKind};

/// Stands for "no file" and "no package".
pub const NONE: u32 = u32::MAX;

/// A symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node<'a> {
    pub name: &'a str,
    pub kind: SymbolKind,
    /// Position of its file in [`GraphView::files`]; [`NONE`] for externals, packages and other symbols without one.
    pub file: FileIndex,
    /// The type that it is a member of, also when that stands elsewhere (a Go method's receiver, a Rust `impl`'s type).
    pub container: Option<NodeId>,
    /// The innermost definition around it in its file, or for a file the package symbol that it belongs to. `None`
    /// for a top-level definition, which then belongs to its file.
    pub parent: Option<NodeId>,
    pub is_test: bool,
    /// Declared without a body.
    pub is_abstract: bool,
    /// What two methods must share to stand for each other; see [`super::derive::shape::method_shape`]. 0 when unknown, which
    /// fits every shape.
    pub shape: u64,
}

/// A file that definitions stand in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileNode<'a> {
    pub path: &'a str,
    /// Name of its language in the registry.
    pub language: &'a str,
    /// Position of the file's own symbol.
    pub node: NodeId,
}

impl<'a> FileNode<'a> {
    /// What belongs together (SPEC §4): the folder for Go, else the file.
    pub fn package(&self) -> &'a str {
        definition_unit(self.language, self.path)
    }
}

/// Everything that the passes over the whole graph read.
#[derive(Debug, Clone, Copy)]
pub struct GraphView<'a> {
    /// Symbols of files first, in canonical order; then those without a file, by kind and name.
    pub nodes: &'a [Node<'a>],
    pub files: &'a [FileNode<'a>],
    /// Resolved edges by positions, sorted by source, target and type. Externals may be targets; derived edges are
    /// not among them.
    pub edges: &'a [Edge],
}

impl<'a> GraphView<'a> {
    /// The node at a position.
    pub fn node(&self, position: NodeId) -> &Node<'a> {
        &self.nodes[position as usize]
    }

    /// Name of the language of a node's file; empty when it has none.
    pub fn language(&self, position: NodeId) -> &'a str {
        self.files.get(self.node(position).file as usize).map_or("", |file| file.language)
    }

    /// Positions of all nodes.
    pub fn positions(&self) -> impl Iterator<Item = NodeId> + use<'a> {
        0..self.nodes.len() as u32
    }
}
