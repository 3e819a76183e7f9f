//! The state of the walk over a Rust file, and helpers that all parts of the walk use.
//!
//! # Why locals are inlined
//!
//! The scope and type of a local are fixed by its `let`, so the walk can replace each use of a local by the expression
//! of its initializer. Blocks, match arms and closures then need no scopes, and the value of an expression
//! does not depend on where it is evaluated.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use tree_sitter::Node;

use super::body_words::scan_words;
use super::grammar::{Fields, GRAMMAR, Kind, kind};
use crate::facts::{
    Atom, Binding, BindingKind, Container, DefId, Expr, ExprId, FactsBuilder, FileFacts, Reference, Role, Scope,
    ScopeId, ScopeKind,
};
use crate::lang::common::body_words::add_body_words;

/// Maximum nesting of expressions, types and items. It bounds the stack; deeper source has no facts.
const MAX_NESTING: u32 = 300;

/// The part of the state that is saved and restored around a definition.
#[derive(Clone, Copy)]
pub struct Context {
    pub scope: ScopeId,
    /// The innermost function, method or type: the source of references.
    pub source: Option<DefId>,
    /// The innermost definition of any kind.
    pub parent: Option<DefId>,
    pub container: Container,
    pub in_function: bool,
    pub is_test: bool,
    /// Whether a `cfg` condition excludes the current code on Linux.
    pub is_cfg_inactive: bool,
    /// Index of the first local of the current function. Those below it belong to outer functions and are not visible.
    pub locals_start: usize,
}

/// The walk over one file.
pub struct Walker {
    pub builder: FactsBuilder,
    pub fields: &'static Fields,
    /// The text of the current tree: the file, or a snippet of a macro's arguments.
    pub text: Rc<str>,
    /// Distance from byte positions in `text` to those in the file.
    pub offset: i64,
    /// Distance from rows in `text` to those in the file.
    pub row: u32,
    pub context: Context,
    pub scope_names: Vec<Atom>,
    pub locals: Locals,
    pub unknown: ExprId,
    /// Values of the `break` expressions of each loop around the current node.
    pub break_values: Vec<Vec<ExprId>>,
    pub depth: u32,
    pub macro_depth: u32,
    /// Number of `impl` blocks so far.
    pub impl_count: u32,
    /// First byte of each definition's body, if it has one.
    pub body_starts: Vec<Option<u32>>,
    name_exprs: HashMap<(ScopeId, Atom), ExprId>,
    /// Names with an active binding, by scope.
    bound_names: HashSet<(ScopeId, Atom)>,
    /// Bindings in code that `cfg` excludes.
    inactive_bindings: Vec<Binding>,
}

impl Walker {
    /// Creates a walker at module level.
    pub fn new(text: &str) -> Walker {
        let mut builder = FactsBuilder::new();
        let unknown = builder.expr(Expr::Unknown);
        let context = Context {
            scope: ScopeId(0),
            source: None,
            parent: None,
            container: Container::Module,
            in_function: false,
            is_test: false,
            is_cfg_inactive: false,
            locals_start: 0,
        };
        Walker {
            builder,
            fields: &GRAMMAR.fields,
            text: Rc::from(text),
            offset: 0,
            row: 0,
            context,
            scope_names: Vec::new(),
            locals: Locals::default(),
            unknown,
            break_values: Vec::new(),
            depth: 0,
            macro_depth: 0,
            impl_count: 0,
            body_starts: Vec::new(),
            name_exprs: HashMap::new(),
            bound_names: HashSet::new(),
            inactive_bindings: Vec::new(),
        }
    }

    /// Returns the facts, including the words of bodies.
    pub fn finish(mut self, text: &str) -> FileFacts {
        // Inactive bindings only apply to names without an active one.
        for Binding { scope, name, position, kind } in std::mem::take(&mut self.inactive_bindings) {
            if !self.bound_names.contains(&(scope, name)) {
                self.builder.bind(scope, name, position, kind);
            }
        }
        add_body_words(&mut self.builder, &self.body_starts, |emit| scan_words(text, emit));
        self.builder.finish()
    }

    /// Returns the text of a node.
    pub fn text_of(&self, node: Node<'_>) -> &str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    /// Returns the atom of a node's text, without the `r#` of a raw identifier.
    pub fn atom(&mut self, node: Node<'_>) -> Atom {
        let text = self.text.get(node.byte_range()).unwrap_or("");
        self.builder.atom(text.strip_prefix("r#").unwrap_or(text))
    }

    /// Returns the first byte of a node in the file.
    pub fn position(&self, node: Node<'_>) -> u32 {
        (node.start_byte() as i64 + self.offset).max(0) as u32
    }

    /// Returns the line of a node's first byte in the file.
    pub fn line(&self, node: Node<'_>) -> u32 {
        node.start_position().row as u32 + self.row + 1
    }

    /// Returns the first child in a field.
    pub fn child<'t>(&self, node: Node<'t>, field: u16) -> Option<Node<'t>> {
        node.child_by_field_id(field)
    }

    /// Adds a reference from the current context.
    pub fn add_reference(&mut self, expr: ExprId, node: Node<'_>, role: Role) {
        let reference = Reference {
            expr,
            scope: self.context.scope,
            position: self.position(node),
            role,
            source: self.context.source,
        };
        self.builder.refer(reference);
    }

    /// Returns the expression of a name. Its meaning depends on the name and the scope only, so it is shared between
    /// uses.
    pub fn name(&mut self, atom: Atom) -> ExprId {
        let key = (self.context.scope, atom);
        if let Some(&expr) = self.name_exprs.get(&key) {
            return expr;
        }
        let expr = self.builder.expr(Expr::Name(atom));
        self.name_exprs.insert(key, expr);
        expr
    }

    /// Returns `base.name`, or unknown if the base is unknown.
    pub fn member(&mut self, base: ExprId, name: Atom) -> ExprId {
        if base == self.unknown { base } else { self.builder.expr(Expr::Member { base, name }) }
    }

    /// Wraps an expression, unless it is unknown.
    pub fn wrap(&mut self, inner: ExprId, wrapper: impl FnOnce(ExprId) -> Expr) -> ExprId {
        if inner == self.unknown { inner } else { self.builder.expr(wrapper(inner)) }
    }

    /// Returns the union of the known parts.
    pub fn union(&mut self, mut parts: Vec<ExprId>) -> ExprId {
        parts.retain(|part| *part != self.unknown);
        parts.sort();
        parts.dedup();
        match parts.as_slice() {
            [] => self.unknown,
            [only] => *only,
            _ => self.builder.expr(Expr::Union(parts)),
        }
    }

    /// Returns the value of a local.
    pub fn local(&self, name: Atom) -> Option<ExprId> {
        self.locals.get(name, self.context.locals_start).map(|local| local.value)
    }

    /// Returns the innermost local of a name.
    pub fn local_mut(&mut self, name: Atom) -> Option<&mut Local> {
        self.locals.get_mut(name, self.context.locals_start)
    }

    /// Binds a local.
    pub fn bind_local(&mut self, name: Atom, value: ExprId) {
        self.locals.push(name, value);
    }

    /// Binds a definition, import or type parameter in the current scope.
    pub fn bind(&mut self, name: Atom, node: Node<'_>, kind: BindingKind) {
        let binding = Binding { scope: self.context.scope, name, position: self.position(node), kind };
        if self.context.is_cfg_inactive {
            self.inactive_bindings.push(binding);
            return;
        }
        self.bound_names.insert((binding.scope, name));
        self.builder.bind(binding.scope, name, binding.position, kind);
    }

    /// Opens a scope inside the current one.
    pub fn open_scope(&mut self, kind: ScopeKind) -> ScopeId {
        let scope =
            Scope { parent: Some(self.context.scope), kind, definition: None, extension: None, module_name: None };
        self.builder.scope(scope)
    }

    /// Runs `visit` one nesting level deeper. Returns `fallback` beyond [`MAX_NESTING`].
    pub fn descend<T>(&mut self, fallback: T, visit: impl FnOnce(&mut Walker) -> T) -> T {
        if self.depth >= MAX_NESTING {
            return fallback;
        }
        self.depth += 1;
        let result = visit(self);
        self.depth -= 1;
        result
    }
}

/// A local variable.
pub struct Local {
    pub name: Atom,
    pub value: ExprId,
    /// Whether it was initialized with an empty collection whose element type is not yet inferred.
    pub has_unknown_elements: bool,
    /// For a map of which only a key type is inferred: the initializer and the key.
    pub pending_entry: Option<(ExprId, ExprId)>,
}

/// A stack of locals, innermost last, with an index by name.
#[derive(Default)]
pub struct Locals {
    stack: Vec<Local>,
    /// Indexes of each name's locals in the stack, innermost last.
    indices: HashMap<Atom, Vec<usize>>,
}

impl Locals {
    /// Returns the number of locals, to be passed to [`Locals::truncate`] later.
    pub fn len(&self) -> usize {
        self.stack.len()
    }

    /// Adds the innermost local.
    pub fn push(&mut self, name: Atom, value: ExprId) {
        self.indices.entry(name).or_default().push(self.stack.len());
        self.stack.push(Local { name, value, has_unknown_elements: false, pending_entry: None });
    }

    /// Removes all but the first `length` locals.
    pub fn truncate(&mut self, length: usize) {
        for local in self.stack.drain(length.min(self.stack.len())..) {
            if let Some(indices) = self.indices.get_mut(&local.name) {
                indices.pop();
            }
        }
    }

    /// Returns the innermost local.
    pub fn last_mut(&mut self) -> Option<&mut Local> {
        self.stack.last_mut()
    }

    /// Returns the innermost local of a name, if its index is at least `locals_start`.
    pub fn get(&self, name: Atom, locals_start: usize) -> Option<&Local> {
        let index = *self.indices.get(&name)?.last()?;
        if index >= locals_start { self.stack.get(index) } else { None }
    }

    /// Like [`Locals::get`], mutable.
    pub fn get_mut(&mut self, name: Atom, locals_start: usize) -> Option<&mut Local> {
        let index = *self.indices.get(&name)?.last()?;
        if index >= locals_start { self.stack.get_mut(index) } else { None }
    }
}

/// Returns the named children of a node, without comments.
pub fn children<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .filter(|child| !matches!(kind(*child), Kind::LineComment | Kind::BlockComment))
        .collect()
}
