//! The state that walking a Rust file carries along, and the small steps that every part of the walk uses.
//!
//! # Why locals are inlined
//!
//! Rust's locals are lexically scoped and never rebound, so the walk itself knows what a local name stands for. It
//! keeps them on a stack and writes the expression that gave a local its value wherever the local is used. Blocks,
//! match arms and closures then need no scopes of their own, and an expression means the same from wherever it is
//! evaluated.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use tree_sitter::Node;

use super::grammar::{Fields, GRAMMAR, Kind, kind};
use crate::facts::{
    Atom, Binding, BindingKind, Container, DefId, Expr, ExprId, FactsBuilder, FileFacts, Reference, Role, Scope,
    ScopeId, ScopeKind,
};

/// Deepest nesting of expressions, types and items that is read. It bounds the stack: source nested deeper gives
/// fewer facts.
const MAX_NESTING: u32 = 300;

/// What changes on the way into a definition and is put back on the way out.
#[derive(Clone, Copy)]
pub struct Context {
    pub scope: ScopeId,
    /// The innermost function, method or type: where references come from.
    pub source: Option<DefId>,
    /// The innermost definition of any kind.
    pub parent: Option<DefId>,
    pub container: Container,
    pub in_function: bool,
    pub is_test: bool,
    /// Inside code for another platform.
    pub is_cfg_inactive: bool,
    /// Locals below this place of the stack belong to an outer function and cannot be seen.
    pub locals_start: usize,
}

/// Walks one file.
pub struct Walker {
    pub builder: FactsBuilder,
    pub fields: &'static Fields,
    /// The text that nodes point into: the file's, or that of a macro's arguments.
    pub text: Rc<str>,
    /// What to add to a node's byte to get the file's.
    pub offset: i64,
    /// What to add to a node's row to get the file's.
    pub row: u32,
    pub context: Context,
    pub scope_names: Vec<Atom>,
    pub locals: Locals,
    pub unknown: ExprId,
    /// What `break` gave to each `loop` around the current place.
    pub break_values: Vec<Vec<ExprId>>,
    pub depth: u32,
    pub macro_depth: u32,
    /// How many `impl` blocks were met.
    pub impl_count: u32,
    /// First byte of each definition's own body, for those that have one.
    pub body_starts: Vec<Option<u32>>,
    name_exprs: HashMap<(ScopeId, Atom), ExprId>,
    /// Names that are bound_names in each scope.
    bound_names: HashSet<(ScopeId, Atom)>,
    /// Bindings made by code for another platform.
    inactive_bindings: Vec<Binding>,
}

impl Walker {
    /// A walker at module level.
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

    /// The facts, after the words of the body_starts were added.
    pub fn finish(mut self, text: &str) -> FileFacts {
        // What another platform's code binds counts where nothing else has the name.
        for Binding { scope, name, position, kind } in std::mem::take(&mut self.inactive_bindings) {
            if !self.bound_names.contains(&(scope, name)) {
                self.builder.bind(scope, name, position, kind);
            }
        }
        super::body_words::add_body_words(&mut self.builder, &self.body_starts, text);
        self.builder.finish()
    }

    /// A node's text.
    pub fn text_of(&self, node: Node<'_>) -> &str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    /// The atom of a node's text, without the `r#` of a raw identifier.
    pub fn atom(&mut self, node: Node<'_>) -> Atom {
        let text = self.text.get(node.byte_range()).unwrap_or("");
        self.builder.atom(text.strip_prefix("r#").unwrap_or(text))
    }

    /// A node's first byte in the file.
    pub fn position(&self, node: Node<'_>) -> u32 {
        (node.start_byte() as i64 + self.offset).max(0) as u32
    }

    /// The line of a node's first byte.
    pub fn line(&self, node: Node<'_>) -> u32 {
        node.start_position().row as u32 + self.row + 1
    }

    /// The first child of a field.
    pub fn child<'t>(&self, node: Node<'t>, field: u16) -> Option<Node<'t>> {
        node.child_by_field_id(field)
    }

    /// Adds a reference from where the walk is.
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

    /// The expression of a name, made once for each name and scope: what it means depends on no more.
    pub fn name(&mut self, atom: Atom) -> ExprId {
        let key = (self.context.scope, atom);
        if let Some(&expr) = self.name_exprs.get(&key) {
            return expr;
        }
        let expr = self.builder.expr(Expr::Name(atom));
        self.name_exprs.insert(key, expr);
        expr
    }

    /// `base.name`, or nothing known when the base is not.
    pub fn member(&mut self, base: ExprId, name: Atom) -> ExprId {
        if base == self.unknown { base } else { self.builder.expr(Expr::Member { base, name }) }
    }

    /// Wraps an expression about which something is known.
    pub fn wrap(&mut self, inner: ExprId, form: impl FnOnce(ExprId) -> Expr) -> ExprId {
        if inner == self.unknown { inner } else { self.builder.expr(form(inner)) }
    }

    /// One of several, leaving out what is not known.
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

    /// What a local name stands for.
    pub fn local(&self, name: Atom) -> Option<ExprId> {
        self.locals.get(name, self.context.locals_start).map(|local| local.value)
    }

    /// The entry of a local name, for learning more about it.
    pub fn local_mut(&mut self, name: Atom) -> Option<&mut Local> {
        self.locals.get_mut(name, self.context.locals_start)
    }

    /// Binds a local name from here on.
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

    /// Runs `visit` one level deeper, or gives up where nesting is too deep.
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

/// A local variable and what is known of it.
pub struct Local {
    pub name: Atom,
    pub value: ExprId,
    /// The collection was made empty, so its elements are only known from what is put into it.
    pub has_unknown_elements: bool,
    /// For a map of which only a key is known yet: the map as it was made, and the key.
    pub pending_entry: Option<(ExprId, ExprId)>,
}

/// Locals, innermost last.
#[derive(Default)]
pub struct Locals {
    stack: Vec<Local>,
    /// Where in the stack each name stands, innermost last.
    indices: HashMap<Atom, Vec<usize>>,
}

impl Locals {
    /// How many there are; what [`Locals::truncate`] goes back to.
    pub fn len(&self) -> usize {
        self.stack.len()
    }

    /// Adds the innermost one.
    pub fn push(&mut self, name: Atom, value: ExprId) {
        self.indices.entry(name).or_default().push(self.stack.len());
        self.stack.push(Local { name, value, has_unknown_elements: false, pending_entry: None });
    }

    /// Forgets all but the first `length`.
    pub fn truncate(&mut self, length: usize) {
        for local in self.stack.drain(length.min(self.stack.len())..) {
            if let Some(indices) = self.indices.get_mut(&local.name) {
                indices.pop();
            }
        }
    }

    /// The innermost one.
    pub fn last_mut(&mut self) -> Option<&mut Local> {
        self.stack.last_mut()
    }

    /// The innermost one of a name, those below `locals_start` left out.
    pub fn get(&self, name: Atom, locals_start: usize) -> Option<&Local> {
        let index = *self.indices.get(&name)?.last()?;
        if index >= locals_start { self.stack.get(index) } else { None }
    }

    /// The same, to learn more about it.
    pub fn get_mut(&mut self, name: Atom, locals_start: usize) -> Option<&mut Local> {
        let index = *self.indices.get(&name)?.last()?;
        if index >= locals_start { self.stack.get_mut(index) } else { None }
    }
}

/// The named children of a node, comments left out.
pub fn children<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .filter(|child| !matches!(kind(*child), Kind::LineComment | Kind::BlockComment))
        .collect()
}
