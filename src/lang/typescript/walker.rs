//! The state of the walk over a TypeScript file, and helpers that all parts of the walk use.

use std::collections::{HashMap, HashSet};

use tree_sitter::{Node, TreeCursor};

use super::grammar::{Fields, Grammar, Kind};
use crate::facts::{Atom, DefId, Expr, ExprId, FactsBuilder, ImportId, Reference, Role, Scope, ScopeId, ScopeKind};
use crate::model::{Span, SymbolKind};

/// Maximum nesting. A level takes several hundred bytes of stack, and worker threads have small stacks.
const MAX_DEPTH: usize = 400;
/// Maximum number of alternatives in a union, and of returned values of a function.
pub const MAX_ALTERNATIVES: usize = 16;

/// The part of the state that is saved and restored around a definition or scope.
#[derive(Debug, Clone, Copy)]
pub struct Context {
    pub scope: ScopeId,
    /// The innermost function, method or type: the source of references.
    pub source: Option<DefId>,
    /// The innermost definition of any kind, to which body words are added.
    pub owner: Option<DefId>,
    /// The value of `this`.
    pub this: ExprId,
    /// Whether the walk is inside a function's body.
    pub is_local: bool,
    /// Whether the walk is inside an interface or type alias, where members of object types are definitions.
    pub defines_members: bool,
}

/// The type that the context expects an expression to have (TypeScript's contextual typing).
#[derive(Debug, Clone, Copy, Default)]
pub enum ContextualType {
    #[default]
    None,
    /// The type of this value.
    Value(ExprId),
    /// The type that this call has for its argument with this index.
    Argument(ExprId, u16),
}

/// Shared expressions: those whose value does not depend on the scope.
#[derive(Debug, Clone, Copy)]
pub struct Common {
    pub unknown: ExprId,
    pub string: ExprId,
    pub number: ExprId,
    pub boolean: ExprId,
}

/// The walk over one file.
pub struct Walker<'a> {
    pub text: &'a str,
    pub facts: FactsBuilder,
    pub grammar: &'static Grammar,
    pub fields: Fields,
    pub common: Common,
    pub context: Context,
    /// Names of the definitions, variables and object keys around the current node.
    pub scope_names: Vec<Atom>,
    /// Values of names that differ from their bindings: locals and parameters of lambdas, narrowed names. `None`
    /// removes an outer override.
    pub name_overrides: Vec<(Atom, Option<ExprId>)>,
    /// Type parameters in scope, which are not referenced.
    pub type_parameter_names: Vec<Atom>,
    /// Returned values of the enclosing functions, innermost last.
    pub returns: Vec<Vec<ExprId>>,
    /// Contextual types of the returned values of the enclosing functions.
    pub expected_returns: Vec<ContextualType>,
    /// Variables declared without type and value, which get their types from assignments.
    pub untyped_variables: HashSet<(ScopeId, Atom)>,
    /// Names of modules that are imported inside expressions, by `require` or `import()`.
    pub inline_modules: HashSet<Atom>,
    /// Imports by the names that they bind.
    pub imported: HashMap<Atom, ImportId>,
    /// Entries of `export { a as b }`: local name, exported name and position. Bound at the end of the file, because
    /// imports may follow.
    pub export_list: Vec<(Atom, Atom, u32)>,
    pub exports: Option<ScopeId>,
    /// Whether references are discarded, because the node is visited a second time.
    pub suppress_references: bool,
    pub is_test: bool,
    /// Whether the file is JavaScript, where assignments declare fields.
    pub is_script: bool,
    /// Members of the types so far, by type and name.
    pub member_names: HashSet<(DefId, Atom)>,
    /// Number of definitions whose names are in `member_names`.
    pub scanned_definitions: usize,
    /// Route prefix of the enclosing controller class.
    pub route_prefix: String,
    depth: usize,
    cursor: TreeCursor<'a>,
}

impl<'a> Walker<'a> {
    /// Creates a walker at module level.
    pub fn new(text: &'a str, root: Node<'a>, grammar: &'static Grammar, is_test: bool, is_script: bool) -> Walker<'a> {
        let mut facts = FactsBuilder::new();
        let common = Common {
            unknown: facts.expr(Expr::Unknown),
            string: facts.builtin("string", Vec::new()),
            number: facts.builtin("number", Vec::new()),
            boolean: facts.builtin("boolean", Vec::new()),
        };
        let context = Context {
            scope: ScopeId(0),
            source: None,
            owner: None,
            this: common.unknown,
            is_local: false,
            defines_members: false,
        };
        Walker {
            text,
            facts,
            grammar,
            fields: grammar.fields,
            common,
            context,
            scope_names: Vec::new(),
            name_overrides: Vec::new(),
            type_parameter_names: Vec::new(),
            returns: Vec::new(),
            expected_returns: Vec::new(),
            untyped_variables: HashSet::new(),
            inline_modules: HashSet::new(),
            imported: HashMap::new(),
            export_list: Vec::new(),
            exports: None,
            suppress_references: false,
            is_test,
            is_script,
            member_names: HashSet::new(),
            scanned_definitions: 0,
            route_prefix: String::new(),
            depth: 0,
            cursor: root.walk(),
        }
    }

    /// Returns the kind of a node.
    pub fn kind(&self, node: Node<'_>) -> Kind {
        self.grammar.kind(node)
    }

    /// Returns the text of a node.
    pub fn text_of(&self, node: Node<'_>) -> &'a str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    /// Returns the child in a field.
    pub fn field(&self, node: Node<'a>, field: u16) -> Option<Node<'a>> {
        node.child_by_field_id(field)
    }

    /// Returns the named children of a node, without comments.
    pub fn children(&mut self, node: Node<'a>) -> Vec<Node<'a>> {
        self.all_children(node).into_iter().filter(|child| child.is_named()).collect()
    }

    /// Returns all children of a node, including tokens, without comments.
    pub fn all_children(&mut self, node: Node<'a>) -> Vec<Node<'a>> {
        let mut children = Vec::with_capacity(node.child_count() as usize);
        self.cursor.reset(node);
        if self.cursor.goto_first_child() {
            loop {
                let child = self.cursor.node();
                if self.grammar.kind(child) != Kind::Comment {
                    children.push(child);
                }
                if !self.cursor.goto_next_sibling() {
                    break;
                }
            }
        }
        children
    }

    /// Returns whether a token is a direct child of `node`.
    pub fn has_token(&mut self, node: Node<'a>, token: &str) -> bool {
        self.all_children(node).iter().any(|child| !child.is_named() && child.kind() == token)
    }

    /// Runs `walk` one nesting level deeper. Returns `fallback` beyond [`MAX_DEPTH`].
    pub fn descend<T>(&mut self, fallback: T, walk: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= MAX_DEPTH {
            return fallback;
        }
        self.depth += 1;
        let result = walk(self);
        self.depth -= 1;
        result
    }

    /// Returns a new `Expr::Name`. It is not shared, because its meaning depends on its position.
    pub fn name(&mut self, atom: Atom) -> ExprId {
        self.facts.expr(Expr::Name(atom))
    }

    /// Returns a value of a type.
    pub fn instance(&mut self, type_expr: ExprId) -> ExprId {
        if let Expr::TypeOf(value) = *self.facts.get(type_expr) {
            return value;
        }
        match self.facts.get(type_expr) {
            Expr::Unknown => return type_expr,
            Expr::Builtin { args, .. } if args.is_empty() => return type_expr,
            _ => {}
        }
        self.facts.expr(Expr::Instance(type_expr))
    }

    /// Returns the type of a value.
    pub fn type_of(&mut self, value: ExprId) -> ExprId {
        match *self.facts.get(value) {
            Expr::Instance(type_expr) => type_expr,
            Expr::Unknown => value,
            _ => self.facts.expr(Expr::TypeOf(value)),
        }
    }

    /// Returns the union of the known parts, at most [`MAX_ALTERNATIVES`].
    pub fn union(&mut self, mut parts: Vec<ExprId>) -> ExprId {
        let unknown = self.common.unknown;
        let mut unique = HashSet::new();
        parts.retain(|&part| part != unknown && unique.insert(part));
        parts.truncate(MAX_ALTERNATIVES);
        match parts.as_slice() {
            [] => unknown,
            &[only] => only,
            _ => self.facts.expr(Expr::Union(parts)),
        }
    }

    /// Returns `base.name`.
    pub fn member(&mut self, base: ExprId, name: Atom) -> ExprId {
        self.facts.expr(Expr::Member { base, name })
    }

    /// Returns a value of the contextual type.
    pub fn expected(&mut self, contextual: ContextualType) -> Option<ExprId> {
        match contextual {
            ContextualType::None => None,
            ContextualType::Value(value) => (value != self.common.unknown).then_some(value),
            ContextualType::Argument(call, argument) => Some(self.facts.expr(Expr::ArgumentOf { call, argument })),
        }
    }

    /// Adds a reference at `node`, unless references are suppressed.
    pub fn add_reference(&mut self, expr: ExprId, node: Node<'_>, role: Role) {
        if self.suppress_references {
            return;
        }
        let (scope, source) = (self.context.scope, self.context.source);
        self.facts.refer(Reference { expr, scope, position: node.start_byte() as u32, role, source });
    }

    /// Opens a scope inside the current one.
    pub fn open_scope(&mut self, kind: ScopeKind, definition: Option<DefId>) -> ScopeId {
        let parent = Some(self.context.scope);
        self.facts.scope(Scope { parent, kind, definition, extension: None, module_name: None })
    }

    /// Adds a word to the body of the innermost definition.
    pub fn add_body_word(&mut self, word: &str) {
        if let Some(owner) = self.context.owner {
            let body = self.facts.body_mut(owner);
            if !body.is_empty() {
                body.push(' ');
            }
            body.push_str(word);
        }
    }

    /// Adds the words of a string literal to the body of the innermost definition.
    pub fn add_body_words(&mut self, text: &str) {
        if self.context.owner.is_some() {
            let is_word = |character: char| character.is_alphanumeric() || character == '_';
            for word in text.split(|character| !is_word(character)).filter(|word| word.len() > 1) {
                self.add_body_word(word);
            }
        }
    }

    /// Returns the atom of a node's text and adds the text to the body words.
    pub fn atom_with_word(&mut self, node: Node<'_>) -> Atom {
        let text = self.text_of(node);
        self.add_body_word(text);
        self.facts.atom(text)
    }

    /// Returns whether the current scope is a module, where variables are definitions.
    pub fn at_module_level(&self) -> bool {
        self.facts.get_scope(self.context.scope).kind == ScopeKind::Module
    }

    /// Removes the override of a name for the current block.
    pub fn shadow(&mut self, name: Atom) {
        if self.name_overrides.iter().any(|entry| entry.0 == name) {
            self.name_overrides.push((name, None));
        }
    }

    /// Returns the override of a name.
    pub fn name_override(&self, name: Atom) -> Option<ExprId> {
        self.name_overrides.iter().rev().find(|entry| entry.0 == name).and_then(|entry| entry.1)
    }
}

/// Returns the span of `outer`, whose name is at `name`.
pub fn span(outer: Node<'_>, name: Node<'_>) -> Span {
    Span {
        start_byte: outer.start_byte() as u32,
        end_byte: outer.end_byte() as u32,
        start_line: outer.start_position().row as u32 + 1,
        end_line: outer.end_position().row as u32 + 1,
        name_line: name.start_position().row as u32 + 1,
    }
}

/// Returns the symbol kind of a variable declared with this keyword.
pub fn variable_kind(keyword: &str) -> SymbolKind {
    if keyword == "const" { SymbolKind::Const } else { SymbolKind::Var }
}
