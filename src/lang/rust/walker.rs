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
use super::locals::{Local, Locals};
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
    pub floor: usize,
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
    pub breaks: Vec<Vec<ExprId>>,
    pub depth: u32,
    pub macro_depth: u32,
    /// How many `impl` blocks were met.
    pub extensions: u32,
    /// First byte of each definition's own body, for those that have one.
    pub bodies: Vec<Option<u32>>,
    known_names: HashMap<(ScopeId, Atom), ExprId>,
    /// Names that are bound in each scope.
    bound: HashSet<(ScopeId, Atom)>,
    /// Bindings made by code for another platform.
    waiting: Vec<Binding>,
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
            floor: 0,
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
            breaks: Vec::new(),
            depth: 0,
            macro_depth: 0,
            extensions: 0,
            bodies: Vec::new(),
            known_names: HashMap::new(),
            bound: HashSet::new(),
            waiting: Vec::new(),
        }
    }

    /// The facts, after the words of the bodies were added.
    pub fn finish(mut self, text: &str) -> FileFacts {
        // What another platform's code binds counts where nothing else has the name.
        for Binding { scope, name, position, kind } in std::mem::take(&mut self.waiting) {
            if !self.bound.contains(&(scope, name)) {
                self.builder.bind(scope, name, position, kind);
            }
        }
        super::words::fill_bodies(&mut self.builder, &self.bodies, text);
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
    pub fn refer(&mut self, expr: ExprId, node: Node<'_>, role: Role) {
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
        if let Some(&expr) = self.known_names.get(&key) {
            return expr;
        }
        let expr = self.builder.expr(Expr::Name(atom));
        self.known_names.insert(key, expr);
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
        self.locals.get(name, self.context.floor).map(|local| local.value)
    }

    /// The entry of a local name, for learning more about it.
    pub fn local_mut(&mut self, name: Atom) -> Option<&mut Local> {
        self.locals.get_mut(name, self.context.floor)
    }

    /// Binds a local name from here on.
    pub fn bind_local(&mut self, name: Atom, value: ExprId) {
        self.locals.push(name, value);
    }

    /// Binds a definition, import or type parameter in the current scope.
    pub fn bind(&mut self, name: Atom, node: Node<'_>, kind: BindingKind) {
        let binding = Binding { scope: self.context.scope, name, position: self.position(node), kind };
        if self.context.is_cfg_inactive {
            self.waiting.push(binding);
            return;
        }
        self.bound.insert((binding.scope, name));
        self.builder.bind(binding.scope, name, binding.position, kind);
    }

    /// Opens a scope inside the current one.
    pub fn open(&mut self, kind: ScopeKind) -> ScopeId {
        let scope =
            Scope { parent: Some(self.context.scope), kind, definition: None, extension: None, module_name: None };
        self.builder.scope(scope)
    }

    /// Runs `step` one level deeper, or gives up where nesting is too deep.
    pub fn deeper<T>(&mut self, otherwise: T, step: impl FnOnce(&mut Walker) -> T) -> T {
        if self.depth >= MAX_NESTING {
            return otherwise;
        }
        self.depth += 1;
        let result = step(self);
        self.depth -= 1;
        result
    }
}

/// The named children of a node, comments left out.
pub fn children<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .filter(|child| !matches!(kind(*child), Kind::LineComment | Kind::BlockComment))
        .collect()
}
