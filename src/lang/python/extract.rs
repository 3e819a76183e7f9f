//! The walk over a Python syntax tree: its state, and the statements that it goes through.

use std::collections::{HashMap, HashSet};

use tree_sitter::Node;

use super::flow::Frame;
use super::syntax::{FIELDS, Kind, children, field, kind};
use super::{docs, test_code};
use crate::facts::{
    Atom, BindingKind, Container, DefId, Definition, Expr, ExprId, FactsBuilder, FileFacts, Flags, Reference, Role,
    ScopeId,
};
use crate::lang::SourceFile;
use crate::model::{Span, SymbolKind};

/// Facts of one Python file.
pub fn extract(file: &SourceFile<'_>) -> FileFacts {
    let mut facts = FactsBuilder::new();
    let unknown = facts.expr(Expr::Unknown);
    let is_test_file = test_code::is_test_file(file.path);
    if is_test_file {
        facts.mark_test_file();
    }
    let mut walker = Walker {
        text: file.text,
        facts,
        unknown,
        at: Place { scope: ScopeId(0), source: None, body: None, class: None, is_local: false },
        frame: Frame::default(),
        type_variables: HashMap::new(),
        used_type_variables: Vec::new(),
        bound_type_variables: Vec::new(),
        members: HashMap::new(),
        methods: HashSet::new(),
        variables: HashMap::new(),
        imported: HashSet::new(),
        names: Vec::new(),
        in_test: is_test_file,
        is_silent: false,
        is_dead: false,
        dead_bindings: Vec::new(),
        module_names: HashSet::new(),
    };
    let root = file.tree.root_node();
    if let Some(doc) = docs::docstring(root, file.text) {
        walker.facts.set_file_doc(doc);
    }
    walker.block(root);
    walker.bind_the_dead();
    walker.facts.finish()
}

/// Where the walk is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub scope: ScopeId,
    /// The innermost function, method or type.
    pub source: Option<DefId>,
    /// The definition that collects words; differs from `source` inside a variable's value.
    pub body: Option<DefId>,
    /// The class whose body this directly is.
    pub class: Option<DefId>,
    /// Inside a function's body.
    pub is_local: bool,
}

/// Everything the walk knows.
pub(super) struct Walker<'a> {
    pub text: &'a str,
    pub facts: FactsBuilder,
    /// The one expression about which nothing is known.
    pub unknown: ExprId,
    pub at: Place,
    /// What the function around the walk has assigned, returned and yielded so far.
    pub frame: Frame,
    /// `T = TypeVar("T", bound=…)`: names and bounds.
    pub type_variables: HashMap<Atom, Vec<ExprId>>,
    /// Those that annotations have used since the enclosing function's or class's head began.
    pub used_type_variables: Vec<Atom>,
    /// Those that the enclosing classes and functions bind.
    pub bound_type_variables: Vec<Atom>,
    /// Variables of class bodies and attributes that methods assign.
    pub members: HashMap<(DefId, Atom), DefId>,
    /// Names of the functions in class bodies.
    pub methods: HashSet<(DefId, Atom)>,
    /// Variables at module level.
    pub variables: HashMap<Atom, DefId>,
    /// Names that module-level imports bind.
    pub imported: HashSet<Atom>,
    /// Names of the enclosing definitions.
    pub names: Vec<Atom>,
    /// In a test file or a test class.
    pub in_test: bool,
    /// Expressions are built a second time: their references and words are known.
    pub is_silent: bool,
    /// In a branch that is never taken here: another platform, an older Python.
    pub is_dead: bool,
    dead_bindings: Vec<(Atom, u32, BindingKind)>,
    /// What the module level binds.
    module_names: HashSet<Atom>,
}

impl<'a> Walker<'a> {
    /// The text of a node.
    pub fn slice(&self, node: Node<'_>) -> &'a str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    /// Binds a name. What a branch binds that is never taken only counts when nothing else has its name.
    pub fn bind(&mut self, scope: ScopeId, name: Atom, position: u32, kind: BindingKind) {
        if scope != ScopeId(0) {
            self.facts.bind(scope, name, position, kind);
        } else if self.is_dead {
            self.dead_bindings.push((name, position, kind));
        } else {
            self.module_names.insert(name);
            self.facts.bind(scope, name, position, kind);
        }
    }

    /// Binds what only branches bind that are never taken.
    fn bind_the_dead(&mut self) {
        for (name, position, kind) in std::mem::take(&mut self.dead_bindings) {
            if !self.module_names.contains(&name) {
                self.facts.bind(ScopeId(0), name, position, kind);
            }
        }
    }

    pub fn atom(&mut self, node: Node<'_>) -> Atom {
        let text = self.slice(node);
        self.facts.atom(text)
    }

    pub fn refer(&mut self, expr: ExprId, position: usize, role: Role) {
        if self.is_silent {
            return;
        }
        let Place { scope, source, .. } = self.at;
        self.facts.refer(Reference { expr, scope, position: position as u32, role, source });
    }

    /// A definition with nothing but what every definition has.
    pub fn blank(&mut self, name: Atom, kind: SymbolKind, node: Node<'_>, name_node: Node<'_>) -> Definition {
        let container = self.at.class.map_or(Container::Module, Container::Definition);
        Definition {
            name,
            kind,
            scope_names: self.names.clone(),
            container,
            parent: self.at.source,
            span: span(node, name_node),
            signature: String::new(),
            doc: String::new(),
            flags: Flags {
                is_test: self.in_test,
                is_local: self.at.is_local,
                is_cfg_inactive: self.is_dead && self.at.class.is_some(),
                ..Flags::default()
            },
            scope: self.at.scope,
            type_parameters: Vec::new(),
            parameters: Vec::new(),
            result: None,
            returns: Vec::new(),
            value_type: None,
            value: None,
            value_scope: None,
            bases: Vec::new(),
        }
    }

    /// Every statement of a block, module or class body.
    pub fn block(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            self.statement(child);
        }
    }

    pub fn statement(&mut self, node: Node<'_>) {
        match kind(node) {
            Kind::ExpressionStatement => self.expression_statement(node),
            Kind::FunctionDefinition => self.function(node, node, &[]),
            Kind::ClassDefinition => self.class(node, node, &[]),
            Kind::DecoratedDefinition => self.decorated(node),
            Kind::IfStatement => self.if_statement(node),
            Kind::ForStatement => self.for_statement(node),
            Kind::WhileStatement => self.while_statement(node),
            Kind::TryStatement => self.try_statement(node),
            Kind::WithStatement => self.with_statement(node),
            Kind::MatchStatement => self.match_statement(node),
            Kind::ReturnStatement => self.return_statement(node),
            Kind::RaiseStatement => self.raise_statement(node),
            Kind::AssertStatement => self.assert_statement(node),
            Kind::BreakStatement | Kind::ContinueStatement => self.leave_round(),
            Kind::ImportStatement => self.import_statement(node),
            Kind::ImportFrom => self.import_from(node),
            Kind::GlobalStatement => self.global_statement(node, false),
            Kind::NonlocalStatement => self.global_statement(node, true),
            Kind::TypeAliasStatement => self.type_alias(node),
            Kind::Comment | Kind::FutureImport => {}
            Kind::Block => self.block(node),
            _ => self.each_value(node),
        }
    }

    fn expression_statement(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match kind(child) {
                Kind::Assignment => self.assignment(child),
                Kind::AugmentedAssignment => self.augmented_assignment(child),
                // A docstring belongs to its definition's doc, not to its body.
                Kind::String if node.named_child_count() == 1 => self.string_statement(child),
                Kind::Comment => {}
                _ => {
                    self.value(child);
                }
            }
        }
    }

    fn string_statement(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let parts: Vec<_> = node.named_children(&mut cursor).collect();
        if parts.iter().any(|part| kind(*part) == Kind::Interpolation) {
            self.value(node);
        }
    }

    /// Reads every child as a value, for statements that only use values.
    pub fn each_value(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            self.value(child);
        }
    }

    fn global_statement(&mut self, node: Node<'_>, is_nonlocal: bool) {
        for child in children(node) {
            let name = self.atom(child);
            self.frame.outer_names.push((name, is_nonlocal));
        }
    }

    fn decorated(&mut self, node: Node<'_>) {
        let Some(definition) = field(node, FIELDS.definition) else { return };
        let decorators: Vec<_> = children(node).into_iter().filter(|child| kind(*child) == Kind::Decorator).collect();
        match kind(definition) {
            Kind::FunctionDefinition => self.function(definition, node, &decorators),
            Kind::ClassDefinition => self.class(definition, node, &decorators),
            _ => {}
        }
    }
}

/// The stretch of `node`, its name on the line of `name_node`.
pub(super) fn span(node: Node<'_>, name_node: Node<'_>) -> Span {
    Span {
        start_byte: node.start_byte() as u32,
        end_byte: node.end_byte() as u32,
        start_line: node.start_position().row as u32 + 1,
        end_line: node.end_position().row as u32 + 1,
        name_line: name_node.start_position().row as u32 + 1,
    }
}
