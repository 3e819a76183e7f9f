//! The state of one walk over a TypeScript tree, with the small helpers that every part of the walk uses.

use std::collections::{HashMap, HashSet};

use tree_sitter::{Node, TreeCursor};

use super::grammar::{Fields, Grammar, Kind};
use crate::facts::{Atom, DefId, Expr, ExprId, FactsBuilder, ImportId, Reference, Role, Scope, ScopeId, ScopeKind};
use crate::model::{Span, SymbolKind};

/// How deep the walk descends. A level takes a few hundred bytes of stack here, and worker threads have little.
const MAX_DEPTH: usize = 400;

/// Where the walk stands.
#[derive(Debug, Clone, Copy)]
pub struct Context {
    pub scope: ScopeId,
    /// The innermost function, method or type.
    pub source: Option<DefId>,
    /// The innermost definition of any kind: takes the words that are met.
    pub owner: Option<DefId>,
    /// What `this` stands for.
    pub this: ExprId,
    /// Inside a function's body, named or not.
    pub is_local: bool,
    /// Inside an interface or type alias, where the members of object types are definitions.
    pub defines_members: bool,
}

/// What the surroundings of an expression expect it to be.
#[derive(Debug, Clone, Copy, Default)]
pub enum ContextualType {
    #[default]
    None,
    /// A value that this expression stands for.
    Value(ExprId),
    /// The `argument`-th argument of this call.
    Argument(ExprId, u16),
}

/// Expressions that every file needs many times.
#[derive(Debug, Clone, Copy)]
pub struct Common {
    pub unknown: ExprId,
    pub string: ExprId,
    pub number: ExprId,
    pub boolean: ExprId,
    pub receiver: ExprId,
}

/// The walk over one file.
pub struct Walker<'a> {
    pub text: &'a str,
    pub facts: FactsBuilder,
    pub grammar: &'static Grammar,
    pub fields: Fields,
    pub common: Common,
    pub context: Context,
    /// Names of the definitions, variables and object keys around.
    pub scope_names: Vec<Atom>,
    /// Names that stand for more than their binding says: parameters and locals of lambdas, narrowed names. `None`
    /// hides an entry further out.
    pub name_overrides: Vec<(Atom, Option<ExprId>)>,
    /// Type parameters in sight; uses of them lead nowhere.
    pub type_parameter_names: Vec<Atom>,
    /// Values returned by the functions around, innermost last.
    pub returns: Vec<Vec<ExprId>>,
    /// What the functions around are expected to return.
    pub expected_returns: Vec<ContextualType>,
    /// Variables declared without type and value: their first assignments tell more.
    pub untyped_variables: HashSet<(ScopeId, Atom)>,
    /// Modules named by `require` or `import()` in the middle of an expression.
    pub inline_modules: HashSet<Atom>,
    /// Names that imports bind.
    pub imported: HashMap<Atom, ImportId>,
    /// `export { a as b }`: the local name, the shown one, and where. Imports may still follow.
    pub export_list: Vec<(Atom, Atom, u32)>,
    pub exports: Option<ScopeId>,
    /// Uses are not recorded: they are elsewhere.
    pub suppress_references: bool,
    pub is_test: bool,
    /// JavaScript: fields are declared by assigning them.
    pub is_script: bool,
    /// Members of the types so far, and how many definitions they were taken from.
    pub member_names: HashSet<(DefId, Atom)>,
    /// Definitions whose names are in `member_names`.
    pub scanned_definitions: usize,
    /// Route prefix of the controller class around.
    pub route_prefix: String,
    depth: usize,
    cursor: TreeCursor<'a>,
}

impl<'a> Walker<'a> {
    /// A walk that stands at the module level of `text`.
    pub fn new(text: &'a str, root: Node<'a>, grammar: &'static Grammar, is_test: bool, is_script: bool) -> Walker<'a> {
        let mut facts = FactsBuilder::new();
        let common = Common {
            unknown: facts.expr(Expr::Unknown),
            string: facts.builtin("string", Vec::new()),
            number: facts.builtin("number", Vec::new()),
            boolean: facts.builtin("boolean", Vec::new()),
            receiver: facts.expr(Expr::Receiver),
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

    /// The kind of a node.
    pub fn kind(&self, node: Node<'_>) -> Kind {
        self.grammar.kind(node)
    }

    /// The source text of a node.
    pub fn text_of(&self, node: Node<'_>) -> &'a str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    /// The child in a field.
    pub fn field(&self, node: Node<'a>, field: u16) -> Option<Node<'a>> {
        node.child_by_field_id(field)
    }

    /// The named children of a node, comments left out.
    pub fn children(&mut self, node: Node<'a>) -> Vec<Node<'a>> {
        self.all_children(node).into_iter().filter(|child| child.is_named()).collect()
    }

    /// Every child of a node, tokens included, comments left out.
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

    /// True when `node` has the keyword or token `token` as a direct child.
    pub fn has_token(&mut self, node: Node<'a>, token: &str) -> bool {
        self.all_children(node).iter().any(|child| !child.is_named() && child.kind() == token)
    }

    /// Runs `walk` one level deeper, or gives `fallback` when that is too deep.
    pub fn descend<T>(&mut self, fallback: T, walk: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= MAX_DEPTH {
            return fallback;
        }
        self.depth += 1;
        let result = walk(self);
        self.depth -= 1;
        result
    }

    /// `Expr::Name`, a new one each time: what it denotes depends on where it stands.
    pub fn name(&mut self, atom: Atom) -> ExprId {
        self.facts.expr(Expr::Name(atom))
    }

    /// A value of the type that `type_expr` is read as.
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

    /// The type of the value `value`.
    pub fn type_of(&mut self, value: ExprId) -> ExprId {
        match *self.facts.get(value) {
            Expr::Instance(type_expr) => type_expr,
            Expr::Unknown => value,
            _ => self.facts.expr(Expr::TypeOf(value)),
        }
    }

    /// One of several, without those of which nothing is known.
    pub fn union(&mut self, mut parts: Vec<ExprId>) -> ExprId {
        let unknown = self.common.unknown;
        let mut seen = HashSet::new();
        parts.retain(|&part| part != unknown && seen.insert(part));
        parts.truncate(16);
        match parts.as_slice() {
            [] => unknown,
            &[only] => only,
            _ => self.facts.expr(Expr::Union(parts)),
        }
    }

    /// `base.name`, unless nothing is known of the base.
    pub fn member(&mut self, base: ExprId, name: Atom) -> ExprId {
        self.facts.expr(Expr::Member { base, name })
    }

    /// What the context expects, as a value.
    pub fn expected(&mut self, contextual: ContextualType) -> Option<ExprId> {
        match contextual {
            ContextualType::None => None,
            ContextualType::Value(value) => (value != self.common.unknown).then_some(value),
            ContextualType::Argument(call, argument) => Some(self.facts.expr(Expr::ArgumentOf { call, argument })),
        }
    }

    /// Records a use at `node`.
    pub fn add_reference(&mut self, expr: ExprId, node: Node<'_>, role: Role) {
        if self.suppress_references {
            return;
        }
        let (scope, source) = (self.context.scope, self.context.source);
        self.facts.refer(Reference { expr, scope, position: node.start_byte() as u32, role, source });
    }

    /// Opens a scope below the present one.
    pub fn open_scope(&mut self, kind: ScopeKind, definition: Option<DefId>) -> ScopeId {
        let parent = Some(self.context.scope);
        self.facts.scope(Scope { parent, kind, definition, extension: None, module_name: None })
    }

    /// Adds a word to the body of the definition around.
    pub fn add_body_word(&mut self, word: &str) {
        if let Some(owner) = self.context.owner {
            let body = self.facts.body_mut(owner);
            if !body.is_empty() {
                body.push(' ');
            }
            body.push_str(word);
        }
    }

    /// Adds the words of a string literal.
    pub fn add_body_words(&mut self, text: &str) {
        if self.context.owner.is_some() {
            let is_word = |character: char| character.is_alphanumeric() || character == '_';
            for word in text.split(|character| !is_word(character)).filter(|word| word.len() > 1) {
                self.add_body_word(word);
            }
        }
    }

    /// The atom of a node's text; its text becomes a word of the body.
    pub fn atom_with_word(&mut self, node: Node<'_>) -> Atom {
        let text = self.text_of(node);
        self.add_body_word(text);
        self.facts.atom(text)
    }

    /// True where variables are definitions: at module level.
    pub fn at_module_level(&self) -> bool {
        self.facts.get_scope(self.context.scope).kind == ScopeKind::Module
    }

    /// Hides what `name` stood for further out.
    pub fn shadow(&mut self, name: Atom) {
        if self.name_overrides.iter().any(|entry| entry.0 == name) {
            self.name_overrides.push((name, None));
        }
    }

    /// What `name` stands for besides its binding.
    pub fn name_override(&self, name: Atom) -> Option<ExprId> {
        self.name_overrides.iter().rev().find(|entry| entry.0 == name).and_then(|entry| entry.1)
    }
}

/// The span of `outer`, whose name stands at `name`.
pub fn span(outer: Node<'_>, name: Node<'_>) -> Span {
    Span {
        start_byte: outer.start_byte() as u32,
        end_byte: outer.end_byte() as u32,
        start_line: outer.start_position().row as u32 + 1,
        end_line: outer.end_position().row as u32 + 1,
        name_line: name.start_position().row as u32 + 1,
    }
}

/// `const` declares constants; everything else may change.
pub fn variable_kind(keyword: &str) -> SymbolKind {
    if keyword == "const" { SymbolKind::Const } else { SymbolKind::Var }
}
