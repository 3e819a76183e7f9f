//! The walk with TypeScript's state, and helpers of all hooks.

use std::collections::{HashMap, HashSet};
use std::ops::{Deref, DerefMut};

use tree_sitter::Node;

use super::docs;
use super::templates::Format;
use crate::facts::{Atom, BindingKind, Container, DefId, Definition, Expr, ExprId, Role, ScopeId, ScopeKind};
use crate::lang::common::walker::Expected;
use crate::lang::common::walker::Walker;
use crate::model::SymbolKind;

/// The state of TypeScript's hooks over one file.
#[derive(Default)]
pub struct State {
    /// Values of names that differ from their bindings: locals and parameters of lambdas, narrowed names. `None`
    /// removes an outer override.
    pub name_overrides: Vec<(Atom, Option<ExprId>)>,
    /// Paths that checks narrow (`a.b`), by their text: the names of their overrides, and their first names or the value of
    /// `this` there.
    pub narrowed_paths: HashMap<String, (Atom, Result<Atom, ExprId>)>,
    /// Contextual types of the returned values of the enclosing functions.
    pub expected_returns: Vec<Expected>,
    /// Variables declared without type and value, which get their types from assignments.
    pub untyped_variables: HashSet<(ScopeId, Atom)>,
    /// Names of modules that are imported inside expressions, by `require` or `import()`.
    pub inline_modules: HashSet<Atom>,
    /// Entries of `export { a as b }`: local name, exported name and position. Bound at the end of the file, because
    /// imports may follow.
    pub export_list: Vec<(Atom, Atom, u32)>,
    pub exports: Option<ScopeId>,
    /// Definitions by the scope that binds their names.
    pub definitions: HashMap<(ScopeId, Atom), DefId>,
    /// Names that scopes bind, and the number of bindings that were looked at.
    pub bound: (HashSet<(ScopeId, Atom)>, usize),
    /// Variables that are other names of the exports.
    pub export_names: HashSet<Atom>,
    /// The variable whose value is being visited, if it is assigned to the exports, too.
    pub exported_variable: Option<ExprId>,
    /// The format of the markup around the scripts, if there is markup.
    pub format: Option<Format>,
    /// Whether the file is JavaScript, where assignments declare fields.
    pub is_script: bool,
    /// Members of the types so far, by type and name.
    pub member_names: HashSet<(DefId, Atom)>,
    /// Number of definitions whose names are in `member_names`.
    pub scanned_definitions: usize,
    /// Route prefix of the enclosing controller class.
    pub route_prefix: String,
    /// Whether what is visited is in the arguments of a call, so that whoever is called may run its functions.
    pub is_handed_over: bool,
}

/// The walk, with the methods of TypeScript's hooks.
pub struct Ts<'w, 'a> {
    walker: &'w mut Walker<'a>,
}

impl<'a> Deref for Ts<'_, 'a> {
    type Target = Walker<'a>;

    fn deref(&self) -> &Walker<'a> {
        self.walker
    }
}

impl<'a> DerefMut for Ts<'_, 'a> {
    fn deref_mut(&mut self) -> &mut Walker<'a> {
        self.walker
    }
}

impl<'w, 'a> Ts<'w, 'a> {
    /// Gives a walk these methods.
    pub fn new(walker: &'w mut Walker<'a>) -> Ts<'w, 'a> {
        Ts { walker }
    }
}

impl<'a> Ts<'_, 'a> {
    /// Returns the walk, for its methods of the same name as one of these.
    pub fn walker(&mut self) -> &mut Walker<'a> {
        self.walker
    }

    /// Returns the state of the hooks.
    pub fn state(&mut self) -> &mut State {
        self.walker.state()
    }

    /// Returns all children of a node, including tokens, without comments.
    pub fn all_children(&mut self, node: Node<'a>) -> Vec<Node<'a>> {
        let mut children = self.walker.all_children(node);
        children.retain(|child| !child.is_extra() || child.is_error());
        children
    }

    /// Runs `walk` one nesting level deeper, or returns `fallback`.
    pub fn descend<T>(&mut self, fallback: T, walk: impl FnOnce(&mut Ts<'_, 'a>) -> T) -> T {
        self.walker.descend(fallback, |walker| walk(&mut Ts { walker }))
    }

    /// Visits a subtree again without recording its references and words twice.
    pub fn replay<T>(&mut self, walk: impl FnOnce(&mut Ts<'_, 'a>) -> T) -> T {
        self.walker.replay(|walker| walk(&mut Ts { walker }))
    }

    /// Returns a string.
    pub fn string(&mut self) -> ExprId {
        self.facts.builtin("string", Vec::new())
    }

    /// Returns a number.
    pub fn number(&mut self) -> ExprId {
        self.facts.builtin("number", Vec::new())
    }

    /// Returns a boolean.
    pub fn boolean(&mut self) -> ExprId {
        self.facts.builtin("boolean", Vec::new())
    }

    /// Returns whether a value is a string.
    pub fn is_string(&self, value: ExprId) -> bool {
        match self.facts.get(value) {
            Expr::Builtin { name, args } => args.is_empty() && self.facts.text(*name) == "string",
            _ => false,
        }
    }

    /// Returns a new `Expr::Name`.
    pub fn name(&mut self, atom: Atom) -> ExprId {
        self.facts.expr(Expr::Name(atom))
    }

    /// Returns a value of a type.
    pub fn instance(&mut self, type_expr: ExprId) -> ExprId {
        match self.facts.get(type_expr) {
            Expr::TypeOf(value) => *value,
            Expr::Builtin { args, .. } if args.is_empty() => type_expr,
            _ => self.walker.instance(type_expr),
        }
    }

    /// Returns the type of a value.
    pub fn type_of(&mut self, value: ExprId) -> ExprId {
        match *self.facts.get(value) {
            Expr::Instance(type_expr) => type_expr,
            Expr::Unknown => value,
            _ => self.facts.expr(Expr::TypeOf(value)),
        }
    }

    /// Returns `base.name`.
    pub fn member(&mut self, base: ExprId, name: Atom) -> ExprId {
        self.facts.expr(Expr::Member { base, name })
    }

    /// Returns a value of the contextual type.
    pub fn expected(&mut self, expected: Expected) -> Option<ExprId> {
        match expected {
            Expected::None => None,
            Expected::Value(value) => (value != self.unknown).then_some(value),
            Expected::Argument(call, argument) => Some(self.facts.expr(Expr::ArgumentOf { call, argument })),
        }
    }

    /// Returns the atom of a node's text and adds the text to the body words.
    pub fn atom_with_word(&mut self, node: Node<'_>) -> Atom {
        let text = self.text_of(node);
        self.add_word(text);
        self.facts.atom(text)
    }

    /// Adds the name that a node is to the body words.
    pub fn add_word_of(&mut self, node: Node<'_>) {
        let text = self.text_of(node);
        self.add_word(text);
    }

    /// Adds the words of a node's text to the body of the innermost definition.
    pub fn add_words_of(&mut self, node: Node<'_>) {
        let text = self.text_of(node);
        self.add_words(text);
    }

    /// Binds a name in the current scope.
    pub fn bind_here(&mut self, name: Atom, position: u32, kind: BindingKind) {
        let scope = self.context.scope;
        if let BindingKind::Definition(id) = kind {
            self.state().definitions.entry((scope, name)).or_insert(id);
            if scope == ScopeId(0) {
                self.top_level.entry(name).or_insert(id);
            }
        }
        self.facts.bind(scope, name, position, kind);
    }

    /// Returns whether the current scope is a module, where variables are definitions.
    pub fn at_module_level(&self) -> bool {
        self.facts.get_scope(self.context.scope).kind == ScopeKind::Module
    }

    /// Returns whether members of object types are definitions: in interfaces and aliases, down to their functions.
    pub fn defines_members(&self) -> bool {
        let mut at = self.context.parent;
        while let Some(id) = at {
            let definition = self.facts.definition(id);
            match definition.kind {
                SymbolKind::Interface => return true,
                SymbolKind::Type => return definition.flags.is_alias,
                SymbolKind::Field => {}
                _ if definition.flags.is_abstract => {}
                _ => return false,
            }
            at = definition.parent;
        }
        false
    }

    /// Removes the override of a name for the current block.
    pub fn shadow(&mut self, name: Atom) {
        let is_root = self.state().narrowed_paths.values().any(|(_, root)| *root == Ok(name));
        let overrides = &mut self.state().name_overrides;
        if is_root || overrides.iter().any(|entry| entry.0 == name) {
            overrides.push((name, None));
        }
    }

    /// Returns the override of a name.
    pub fn name_override(&mut self, name: Atom) -> Option<ExprId> {
        self.state().name_overrides.iter().rev().find(|entry| entry.0 == name).and_then(|entry| entry.1)
    }

    /// Creates a definition with the parts that do not depend on its kind.
    pub fn new_definition(&mut self, name: Atom, kind: SymbolKind, outer: Node<'a>, name_node: Node<'a>) -> Definition {
        let text = self.facts.text(name).to_owned();
        Definition {
            doc: docs::doc_before(self.text, outer.start_byte()),
            container: Container::Module,
            ..self.bare_definition(&text, kind, outer, name_node)
        }
    }

    /// Visits a type, references the names in it and returns its expression.
    pub fn type_expr(&mut self, node: Node<'a>) -> ExprId {
        self.walker.type_expr(node, Some(Role::Type))
    }

    /// Visits an expression and returns its value.
    pub fn value(&mut self, node: Node<'a>, expected: Expected) -> ExprId {
        self.value_as(node, Role::Read, expected)
    }

    /// Visits an expression that is referenced with `role`.
    pub fn value_as(&mut self, node: Node<'a>, role: Role, expected: Expected) -> ExprId {
        self.walker.expected = expected;
        self.walker.visit(node, role)
    }
}

/// Returns the symbol kind of a variable declared with this keyword.
pub fn variable_kind(keyword: &str) -> SymbolKind {
    if keyword == "const" { SymbolKind::Const } else { SymbolKind::Var }
}
