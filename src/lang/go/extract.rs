//! Walks a Go syntax tree and writes down its facts.
//!
//! One recursive walk: declarations open scopes and definitions ([`super::declarations`]), statements bind names
//! ([`super::statements`]), expressions and types are written down and note what they use as they are met.

use std::collections::HashMap;

use tree_sitter::{Node, TreeCursor};

use super::constraints;
use super::kinds::{Fields, Kind, fields, kind};
use crate::facts::{Atom, DefId, Expr, ExprId, ExtensionId, FactsBuilder, FileFacts, Reference, Role, ScopeId};
use crate::lang::SourceFile;

/// Facts of one Go file.
pub fn extract(file: &SourceFile<'_>) -> FileFacts {
    let mut facts = FactsBuilder::new();
    let unknown = facts.expr(Expr::Unknown);
    if file.path.ends_with("_test.go") {
        facts.mark_test_file();
    }
    if constraints::excluded(file.path, file.text) {
        facts.mark_build_excluded();
    }
    let mut walker = Walker {
        path: file.path,
        text: file.text,
        fields: fields(),
        facts,
        unknown,
        cursors: Vec::new(),
        imports: HashMap::new(),
        extensions: HashMap::new(),
    };
    walker.top_level(file.tree.root_node());
    walker.facts.finish()
}

/// Where in the file's facts the walk stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct At {
    pub scope: ScopeId,
    /// What references made here belong to.
    pub source: Option<DefId>,
}

/// The top level of a file.
pub(super) const TOP: At = At { scope: ScopeId(0), source: None };

/// The walk's state.
pub(super) struct Walker<'a> {
    pub path: &'a str,
    pub text: &'a str,
    pub fields: &'static Fields,
    pub facts: FactsBuilder,
    /// The one `Expr::Unknown` that all share.
    pub unknown: ExprId,
    /// Cursors to use again: making one allocates.
    cursors: Vec<TreeCursor<'a>>,
    /// Path of each import by the name that it binds.
    pub imports: HashMap<&'a str, &'a str>,
    /// Extensions and their scopes by receiver: its type's name, and its type parameters as written.
    pub extensions: HashMap<(&'a str, &'a str), (ExtensionId, ScopeId)>,
}

impl<'a> Walker<'a> {
    fn top_level(&mut self, root: Node<'a>) {
        self.each(root, |walker, child| match kind(child) {
            Kind::PackageClause => walker.package(child),
            Kind::ImportDeclaration => walker.import_declaration(child),
            Kind::FunctionDeclaration => walker.function(child),
            Kind::MethodDeclaration => walker.method(child),
            Kind::TypeDeclaration => walker.types(child, TOP),
            Kind::VarDeclaration | Kind::ConstDeclaration => walker.values(child),
            // What a syntax error swallowed may still hold declarations.
            Kind::Other if child.is_error() => walker.top_level(child),
            _ => {
                walker.visit(child, TOP);
            }
        });
    }

    /// The source text of a node.
    pub fn source(&self, node: Node<'_>) -> &'a str {
        &self.text[node.byte_range()]
    }

    /// A child by its field.
    pub fn child(&self, node: Node<'a>, field: u16) -> Option<Node<'a>> {
        node.child_by_field_id(field)
    }

    /// Calls `visit` for each named child but comments.
    pub fn each(&mut self, node: Node<'a>, mut visit: impl FnMut(&mut Self, Node<'a>)) {
        self.each_with_field(node, |walker, child, _| visit(walker, child));
    }

    /// The same, with the number of each child's field (0 for none).
    pub fn each_with_field(&mut self, node: Node<'a>, mut visit: impl FnMut(&mut Self, Node<'a>, u16)) {
        let mut cursor = match self.cursors.pop() {
            Some(mut cursor) => {
                cursor.reset(node);
                cursor
            }
            None => node.walk(),
        };
        if cursor.goto_first_child() {
            loop {
                let child = cursor.node();
                if child.is_named() && kind(child) != Kind::Comment {
                    let field = cursor.field_id().map_or(0, std::num::NonZeroU16::get);
                    visit(self, child, field);
                }
                if !cursor.goto_next_sibling() {
                    break;
                }
            }
        }
        self.cursors.push(cursor);
    }

    /// The named children but comments.
    pub fn list(&mut self, node: Node<'a>) -> Vec<Node<'a>> {
        let mut list = Vec::new();
        self.each(node, |_, child| list.push(child));
        list
    }

    /// The children of one field.
    pub fn list_of(&mut self, node: Node<'a>, wanted: u16) -> Vec<Node<'a>> {
        let mut list = Vec::new();
        self.each_with_field(node, |_, child, field| {
            if field == wanted {
                list.push(child);
            }
        });
        list
    }

    /// Notes a use of an expression.
    pub fn refer(&mut self, expr: ExprId, node: Node<'a>, role: Role, at: At) {
        self.facts.refer(Reference {
            expr,
            scope: at.scope,
            position: node.start_byte() as u32,
            role,
            source: at.source,
        });
    }

    /// A builtin type with no arguments.
    pub fn builtin(&mut self, name: &str) -> ExprId {
        self.facts.builtin(name, Vec::new())
    }

    /// The atom of a node's text.
    pub fn atom(&mut self, node: Node<'a>) -> Atom {
        self.facts.atom(&self.text[node.byte_range()])
    }
}
