//! The state of the walk over one file, and helpers of all its parts.

use std::any::Any;
use std::collections::{HashMap, HashSet};

use tree_sitter::{Node, TreeCursor};

use super::body_words::add_body_words;
use super::flow::Flow;
use super::inner_trees::InnerTrees;
use super::patterns::{Action, Part, Pattern};
use super::{Dialect, Words};
use crate::facts::{
    Atom, Binding, BindingKind, Container, DefId, Definition, Expr, ExprId, FactsBuilder, FileFacts, Flags, Import,
    ImportId, ImportName, Reference, Role, Scope, ScopeId, ScopeKind, Signal, SignalKind,
};
use crate::lang::SourceFile;
use crate::lang::commands::signals;
use crate::model::Span;

/// Maximum nesting. A level takes several hundred bytes of stack, and worker threads have small stacks.
const MAX_DEPTH: usize = 400;

/// The part of the state that is saved and restored around a definition or scope.
#[derive(Debug, Clone, Copy)]
pub struct Context {
    pub scope: ScopeId,
    /// The innermost function, method or type: the source of references.
    pub source: Option<DefId>,
    /// The innermost definition of any kind.
    pub parent: Option<DefId>,
    /// The owner of definitions here.
    pub container: Container,
    /// Whether the walk is inside a function's body.
    pub is_local: bool,
    /// Flags that definitions here have by the code around them.
    pub inherited: Flags,
    /// The value of `this`, where hooks set it.
    pub this: ExprId,
    /// The value on which the innermost switch is, where hooks set it.
    pub switched: ExprId,
    /// The type that the function around declares for its result; unknown in a lambda.
    pub returned: ExprId,
    /// The receiver of the lambda around this, if its callee gives it one.
    pub block_receiver: Option<ExprId>,
    /// The call that what is visited is an argument of, and its number, where that can be a function by its placeholders.
    pub argument: Option<(ExprId, u16)>,
}

/// The type that the surroundings of an expression expect (contextual typing).
#[derive(Debug, Clone, Copy, Default)]
pub enum Expected {
    #[default]
    None,
    /// The type of this value.
    Value(ExprId),
    /// The type that this call has for its argument with this index.
    Argument(ExprId, u16),
}

/// A call whose parts have been visited.
#[derive(Debug, Clone)]
pub struct Call<'a> {
    pub node: Node<'a>,
    /// The called value.
    pub callee: ExprId,
    /// The name of the function or method.
    pub name: Option<Node<'a>>,
    /// The receiver, if it is written.
    pub object: Option<Node<'a>>,
    pub arguments: Vec<Node<'a>>,
    /// The values of the arguments.
    pub values: Vec<ExprId>,
}

/// The walk over one file.
pub struct Walker<'a> {
    pub text: &'a str,
    pub dialect: &'static Dialect,
    pub facts: FactsBuilder,
    /// The shared [`Expr::Unknown`].
    pub unknown: ExprId,
    pub context: Context,
    /// Names of the definitions around the current node.
    pub scope_names: Vec<Atom>,
    pub is_test: bool,
    /// Whether code in skipped errors is visited.
    pub visits_errors: bool,
    /// The contextual type of the expression that is visited next.
    pub expected: Expected,
    /// Type parameters of lambdas and function types, which are not referenced.
    pub hidden_types: Vec<Atom>,
    /// Values of local names at this point.
    pub flow: Flow,
    /// Nodes before the next one that are about it.
    pub before: Vec<Node<'a>>,
    /// Bindings that apply only to names without another one in the same scope.
    pub(super) weak_bindings: Vec<Binding>,
    /// Whether this is in a branch that is never taken.
    pub is_unreachable: bool,
    /// Whether this subtree was visited before, so that its references, words and signals are recorded.
    pub is_replay: bool,
    /// State of the language's hooks.
    state: Box<dyn Any>,
    /// Definitions at the top level of the file, by name.
    pub top_level: HashMap<Atom, DefId>,
    /// Imports by the names that they bind.
    pub imports: HashMap<Atom, ImportId>,
    /// Fields that assignments have declared, by their type and name.
    pub members: HashMap<(DefId, Atom), DefId>,
    /// Local variables and parameters, in languages where assignments declare them.
    pub(super) locals: HashSet<(ScopeId, Atom)>,
    /// Returned values of the enclosing functions, innermost last.
    pub(super) returns: Vec<Vec<ExprId>>,
    /// First byte of the body of each definition that has one.
    pub(super) body_starts: Vec<Option<u32>>,
    depth: usize,
    cursor: TreeCursor<'a>,
    /// The end of the list of trees.
    pub(super) inner_trees: &'a InnerTrees,
}

impl<'a> Walker<'a> {
    /// Creates a walker at module level.
    pub fn new(file: &SourceFile<'a>, dialect: &'static Dialect, inner_trees: &'a InnerTrees) -> Walker<'a> {
        let mut facts = FactsBuilder::new();
        let unknown = facts.expr(Expr::Unknown);
        let is_test = (dialect.is_test_file)(file.path);
        if is_test {
            facts.mark_test_file();
        }
        let context = Context {
            scope: ScopeId(0),
            source: None,
            parent: None,
            container: Container::Module,
            is_local: false,
            inherited: Flags::default(),
            this: unknown,
            switched: unknown,
            returned: unknown,
            block_receiver: None,
            argument: None,
        };
        Walker {
            text: file.text,
            dialect,
            facts,
            unknown,
            context,
            scope_names: Vec::new(),
            is_test,
            visits_errors: false,
            expected: Expected::None,
            hidden_types: Vec::new(),
            flow: Flow::default(),
            before: Vec::new(),
            weak_bindings: Vec::new(),
            is_unreachable: false,
            is_replay: false,
            state: Box::new(()),
            top_level: HashMap::new(),
            imports: HashMap::new(),
            members: HashMap::new(),
            locals: HashSet::new(),
            returns: Vec::new(),
            body_starts: Vec::new(),
            depth: 0,
            cursor: file.tree.walk(),
            inner_trees,
        }
    }

    /// Returns the facts of the walk.
    pub fn finish(mut self) -> FileFacts {
        self.facts.bind_weakly(std::mem::take(&mut self.weak_bindings));
        if self.dialect.words == Words::Written {
            self.body_starts.resize(self.facts.definitions().len(), None);
            let (lexicon, text, options) = (&self.dialect.lexicon, self.text, &self.dialect.options);
            let in_strings = if options.has_keywords_in_strings { &[] } else { lexicon.keywords };
            add_body_words(&mut self.facts, &self.body_starts, |emit| {
                lexicon.scan_words_by(options.piece, in_strings, text, emit)
            });
        }
        self.facts.finish()
    }

    /// Returns the state of the language's hooks.
    pub fn state<T: Any + Default>(&mut self) -> &mut T {
        if !self.state.is::<T>() {
            self.state = Box::new(T::default());
        }
        self.state.downcast_mut().expect("the state has this type")
    }

    /// Returns the text of a node.
    pub fn text_of(&self, node: Node<'_>) -> &'a str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    /// Returns the atom of a node's text.
    pub fn atom_of(&mut self, node: Node<'_>) -> Atom {
        let text = self.name_text(node);
        self.facts.atom(text)
    }

    /// Returns the name that a node has.
    pub fn name_text(&self, node: Node<'_>) -> &'a str {
        let text = self.text_of(node);
        text.strip_prefix(self.dialect.options.raw_prefix).unwrap_or(text)
    }

    /// Returns the name under which a member is looked up.
    pub fn member_atom(&mut self, node: Node<'_>, role: Role) -> Atom {
        if role == Role::Call && self.dialect.options.marks_called_members {
            let marked = format!("{}()", self.name_text(node));
            return self.facts.atom(&marked);
        }
        self.atom_of(node)
    }

    /// Returns the pattern of a node in a position of values.
    pub fn pattern(&self, node: Node<'_>) -> Option<&'static Pattern> {
        self.dialect.patterns.value(node)
    }

    /// Returns whether the pattern of a node has this action.
    pub fn is(&self, node: Node<'_>, action: Action) -> bool {
        self.pattern(node).is_some_and(|pattern| pattern.action == action)
    }

    /// Returns the parts of a node with a capture.
    pub fn parts(&mut self, node: Node<'a>, pattern: &Pattern, part: Part) -> Vec<Node<'a>> {
        let mut found = Vec::new();
        pattern.find(part, node, &mut self.cursor, &mut found);
        found
    }

    /// Returns the first part of a node with a capture.
    pub fn part(&mut self, node: Node<'a>, pattern: &Pattern, part: Part) -> Option<Node<'a>> {
        pattern.first(part, node, &mut self.cursor)
    }

    /// Returns the first part of a node with a capture in the node's own pattern.
    pub fn part_of(&mut self, node: Node<'a>, part: Part) -> Option<Node<'a>> {
        self.pattern(node).and_then(|pattern| self.part(node, pattern, part))
    }

    /// Returns the child in the field of this name.
    pub fn field(&self, node: Node<'a>, name: &str) -> Option<Node<'a>> {
        node.child_by_field_name(name)
    }

    /// Returns the named children of a node without comments, and its tokens that have patterns.
    pub fn children(&mut self, node: Node<'a>) -> Vec<Node<'a>> {
        let mut children = Vec::with_capacity(node.named_child_count());
        self.cursor.reset(node);
        let mut is_child = self.cursor.goto_first_child();
        while is_child {
            let child = self.cursor.node();
            let is_skipped = child.is_extra() && !(self.visits_errors && child.is_error());
            if if child.is_named() { !is_skipped } else { self.pattern(child).is_some() } {
                children.push(child);
            }
            is_child = self.cursor.goto_next_sibling();
        }
        children
    }

    /// Returns all children of a node, tokens and comments included.
    pub fn all_children(&mut self, node: Node<'a>) -> Vec<Node<'a>> {
        let mut children = Vec::with_capacity(node.child_count() as usize);
        self.cursor.reset(node);
        if self.cursor.goto_first_child() {
            loop {
                children.push(self.cursor.node());
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

    /// Runs `walk` in a new scope.
    pub fn in_scope<T>(&mut self, kind: ScopeKind, walk: impl FnOnce(&mut Self) -> T) -> T {
        let (before, locals) = (self.context, self.flow.locals.len());
        if !self.inlines_locals() {
            self.context.scope = self.open_scope(kind, None);
        }
        let result = walk(self);
        self.end_locals(locals);
        self.context = before;
        result
    }

    /// Opens a scope inside the current one.
    pub fn open_scope(&mut self, kind: ScopeKind, definition: Option<DefId>) -> ScopeId {
        let parent = Some(self.context.scope);
        self.facts.scope(Scope { parent, kind, definition, extension: None, module_name: None, extends: None })
    }

    /// Visits a subtree again without recording its references, words and signals twice.
    pub fn replay<T>(&mut self, walk: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.is_replay, true);
        let result = walk(self);
        self.is_replay = outer;
        result
    }

    /// Adds a reference at `node` from the current definition.
    pub fn refer(&mut self, expr: ExprId, node: Node<'_>, role: Role) {
        if self.is_replay {
            return;
        }
        let (scope, source) = (self.context.scope, self.context.source);
        self.facts.refer(Reference { expr, scope, position: node.start_byte() as u32, role, source });
    }

    /// Makes the last call of one expression that of another.
    pub fn refer_instead(&mut self, expr: ExprId, other: ExprId) {
        if !self.is_replay {
            self.facts.refer_instead(expr, other);
        }
    }

    /// Adds a signal at `node` from the current definition.
    pub fn signal(&mut self, node: Node<'_>, kind: SignalKind) {
        if self.is_replay {
            return;
        }
        let line = node.start_position().row as u32 + 1;
        self.facts.signal(Signal { source: self.context.source, kind, line });
    }

    /// Adds the signals of commands.
    pub fn runs(&mut self, node: Node<'_>, text: &str) {
        if self.is_replay {
            return;
        }
        let first = node.start_position().row as u32 + 1;
        for (line, kind) in signals(&mut self.facts, text, "") {
            self.facts.signal(Signal { source: self.context.source, kind, line: first + line });
        }
    }

    /// Adds an import to the current scope. `bound` are the names that it binds.
    pub fn import(&mut self, node: Node<'_>, path: &[&str], name: ImportName, bound: &[Atom]) -> ImportId {
        let path = path.iter().map(|segment| self.facts.atom(segment)).collect();
        let (scope, position) = (self.context.scope, node.start_byte() as u32);
        let id = self.facts.import(Import { scope, path, level: 0, name, position, reexport: false });
        for name in bound {
            self.bind(*name, position, BindingKind::Import(id));
            self.imports.insert(*name, id);
        }
        id
    }

    /// Returns the atom of a callee's name, marked if the language marks callees.
    pub fn callee_atom(&mut self, name: &str) -> Atom {
        if self.dialect.traits.marks_callees { self.facts.atom(&format!("{name}()")) } else { self.facts.atom(name) }
    }

    /// Adds a definition, whose body starts at byte `body`, and binds its name unless it is a member.
    pub fn define(&mut self, definition: Definition, body: Option<usize>) -> DefId {
        let (name, container) = (definition.name, definition.container);
        let position = definition.span.start_byte;
        let id = self.facts.define(definition, String::new());
        self.body_starts.resize(id.index(), None);
        self.body_starts.push(body.map(|byte| byte as u32));
        if container == Container::Module && self.binds(name) {
            if self.context.parent.is_none() {
                self.top_level.entry(name).or_insert(id);
            }
            self.bind(name, position, BindingKind::Definition(id));
            if self.dialect.traits.marks_callees && self.facts.definition(id).kind.is_callable() {
                let marked = format!("{}()", self.facts.text(name));
                let marked = self.facts.atom(&marked);
                self.facts.bind(self.context.scope, marked, position, BindingKind::Definition(id));
            }
        }
        id
    }
}

/// Returns the span of `outer`, whose name is at `name`.
pub fn span(outer: Node<'_>, name: Node<'_>) -> Span {
    // Some grammars end a definition after its line break.
    let end = outer.end_position();
    let end_line = if end.column == 0 && end.row > outer.start_position().row { end.row } else { end.row + 1 };
    Span {
        start_byte: outer.start_byte() as u32,
        end_byte: outer.end_byte() as u32,
        start_line: outer.start_position().row as u32 + 1,
        end_line: end_line as u32,
        name_line: name.start_position().row as u32 + 1,
    }
}
