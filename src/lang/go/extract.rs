//! The walk over a Go syntax tree that records a file's facts: entry point and state.
//!
//! One recursive walk: declarations open scopes and add definitions ([`super::definitions`]), statements bind names
//! ([`super::statements`]), expressions and types are recorded together with the references in them.

use std::collections::HashMap;

use tree_sitter::{Node, TreeCursor};

use super::build_constraints;
use super::grammar::{FIELDS, Fields, Kind, kind};
use crate::facts::{
    Atom, DefId, Expr, ExprId, ExtensionId, FactsBuilder, FileFacts, Reference, Role, Scope, ScopeId, ScopeKind,
};
use crate::lang::SourceFile;

/// Extracts the facts of one Go file.
pub fn extract(file: &SourceFile<'_>) -> FileFacts {
    let mut facts = FactsBuilder::new();
    let unknown = facts.expr(Expr::Unknown);
    if is_test_file(file.path) {
        facts.mark_test_file();
    }
    if build_constraints::is_excluded(file.path, file.text) {
        facts.mark_build_excluded();
    }
    let mut walker = Walker {
        path: file.path,
        text: file.text,
        fields: &FIELDS,
        facts,
        unknown,
        cursors: Vec::new(),
        imports: HashMap::new(),
        extensions: HashMap::new(),
    };
    walker.top_level(file.tree.root_node());
    walker.facts.finish()
}

/// Returns whether `go test` alone compiles the file.
pub(super) fn is_test_file(path: &str) -> bool {
    path.ends_with("_test.go")
}

/// The scope and the definition around a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context {
    pub scope: ScopeId,
    /// The definition that references belong to.
    pub source: Option<DefId>,
}

/// The context of a file's top level.
pub(super) const TOP_LEVEL: Context = Context { scope: ScopeId(0), source: None };

/// The walk's state.
pub(super) struct Walker<'a> {
    pub path: &'a str,
    pub text: &'a str,
    /// Ids of the grammar's fields.
    pub fields: &'static Fields,
    pub facts: FactsBuilder,
    /// The shared `Expr::Unknown`.
    pub unknown: ExprId,
    /// A pool of cursors, because creating one allocates.
    cursors: Vec<TreeCursor<'a>>,
    /// Import paths by the name they bind.
    pub imports: HashMap<&'a str, &'a str>,
    /// Extensions and their scopes by receiver: the type's name and its type arguments as source text.
    pub extensions: HashMap<(&'a str, &'a str), (ExtensionId, ScopeId)>,
}

impl<'a> Walker<'a> {
    fn top_level(&mut self, root: Node<'a>) {
        self.for_each_child(root, |walker, child| match kind(child) {
            Kind::PackageClause => walker.package_clause(child),
            Kind::ImportDeclaration => walker.import_declaration(child),
            Kind::FunctionDeclaration => walker.function(child),
            Kind::MethodDeclaration => walker.method(child),
            Kind::TypeDeclaration => walker.type_declaration(child, TOP_LEVEL),
            Kind::VarDeclaration | Kind::ConstDeclaration => walker.package_values(child),
            // An error node may contain declarations.
            Kind::Other if child.is_error() => walker.top_level(child),
            _ => {
                walker.visit(child, TOP_LEVEL);
            }
        });
    }

    /// Returns the source text of a node.
    pub fn text_of(&self, node: Node<'_>) -> &'a str {
        &self.text[node.byte_range()]
    }

    /// Returns the child in a field.
    pub fn child(&self, node: Node<'a>, field: u16) -> Option<Node<'a>> {
        node.child_by_field_id(field)
    }

    /// Calls `visit` for each named child except comments.
    pub fn for_each_child(&mut self, node: Node<'a>, mut visit: impl FnMut(&mut Self, Node<'a>)) {
        self.for_each_child_with_field(node, |walker, child, _| visit(walker, child));
    }

    /// Calls `visit` for each named child except comments, with the id of the child's field (0 for none).
    pub fn for_each_child_with_field(&mut self, node: Node<'a>, mut visit: impl FnMut(&mut Self, Node<'a>, u16)) {
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

    /// Returns the named children except comments.
    pub fn children(&mut self, node: Node<'a>) -> Vec<Node<'a>> {
        let mut children = Vec::new();
        self.for_each_child(node, |_, child| children.push(child));
        children
    }

    /// Returns the children in a field that may repeat.
    pub fn children_by_field(&mut self, node: Node<'a>, wanted: u16) -> Vec<Node<'a>> {
        let mut children = Vec::new();
        self.for_each_child_with_field(node, |_, child, field| {
            if field == wanted {
                children.push(child);
            }
        });
        children
    }

    /// Opens a scope without a definition.
    pub fn open_scope(&mut self, parent: ScopeId, kind: ScopeKind) -> ScopeId {
        self.facts.scope(Scope { parent: Some(parent), kind, definition: None, extension: None, module_name: None })
    }

    /// Records a reference.
    pub fn add_reference(&mut self, expr: ExprId, node: Node<'a>, role: Role, context: Context) {
        self.facts.refer(Reference {
            expr,
            scope: context.scope,
            position: node.start_byte() as u32,
            role,
            source: context.source,
        });
    }

    /// Adds a builtin type without arguments.
    pub fn builtin(&mut self, name: &str) -> ExprId {
        self.facts.builtin(name, Vec::new())
    }

    /// Returns the atom of a node's text.
    pub fn atom(&mut self, node: Node<'a>) -> Atom {
        self.facts.atom(&self.text[node.byte_range()])
    }
}
