//! The walk over a Python syntax tree that records a file's facts: entry point and state.
//!
//! One recursive walk: statements bind names and follow control flow ([`super::statements`], [`super::flow`]),
//! expressions and annotations are recorded together with the references in them.

use std::collections::{HashMap, HashSet};

use tree_sitter::Node;

use super::docs;
use super::flow::Frame;
use crate::facts::{
    Atom, BindingKind, Container, DefId, Definition, Expr, ExprId, FactsBuilder, FileFacts, Flags, Reference, Role,
    ScopeId,
};
use crate::lang::SourceFile;
use crate::model::{Span, SymbolKind};
use crate::text::split_path;

/// Extracts the facts of one Python file.
pub fn extract(file: &SourceFile<'_>) -> FileFacts {
    let mut facts = FactsBuilder::new();
    let unknown = facts.expr(Expr::Unknown);
    let is_test_file = is_test_file(file.path);
    if is_test_file {
        facts.mark_test_file();
    }
    let mut walker = Walker {
        text: file.text,
        facts,
        unknown,
        context: Context { scope: MODULE_SCOPE, source: None, body: None, class: None, is_local: false },
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
        is_replay: false,
        is_unreachable: false,
        unreachable_bindings: Vec::new(),
        module_names: HashSet::new(),
    };
    let root = file.tree.root_node();
    if let Some(doc) = docs::docstring(root, file.text) {
        walker.facts.set_file_doc(doc);
    }
    walker.block(root);
    walker.bind_unreachable_names();
    walker.facts.finish()
}

/// The scope of a file's top level.
pub(super) const MODULE_SCOPE: ScopeId = ScopeId(0);

/// The scope and the definitions around a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context {
    pub scope: ScopeId,
    /// The definition that references belong to: the innermost function, method or type.
    pub source: Option<DefId>,
    /// The definition that gets the search words; in a variable's value the variable.
    pub body: Option<DefId>,
    /// The class, directly in a class body.
    pub class: Option<DefId>,
    /// Whether this is inside a function body.
    pub is_local: bool,
}

/// The walk's state.
pub(super) struct Walker<'a> {
    pub text: &'a str,
    pub facts: FactsBuilder,
    /// The shared `Expr::Unknown`.
    pub unknown: ExprId,
    pub context: Context,
    /// State of the enclosing function.
    pub frame: Frame,
    /// Bounds of type variables by name: `T = TypeVar("T", bound=…)`.
    pub type_variables: HashMap<Atom, Vec<ExprId>>,
    /// Type variables in annotations since the header of the enclosing function or class began.
    pub used_type_variables: Vec<Atom>,
    /// Type variables that enclosing classes and functions bind.
    pub bound_type_variables: Vec<Atom>,
    /// Class variables and attributes that methods assign, by class and name.
    pub members: HashMap<(DefId, Atom), DefId>,
    /// Functions in class bodies, by class and name.
    pub methods: HashSet<(DefId, Atom)>,
    /// Module-level variables by name.
    pub variables: HashMap<Atom, DefId>,
    /// Names that module-level imports bind.
    pub imported: HashSet<Atom>,
    /// Names of the enclosing definitions, outermost first.
    pub names: Vec<Atom>,
    /// Whether this is in a test file or a test class.
    pub in_test: bool,
    /// Whether this subtree was walked before, so that its references, words and signals are already recorded.
    pub is_replay: bool,
    /// Whether this is in a branch whose condition is statically false: another platform, an older Python.
    pub is_unreachable: bool,
    /// Module-level bindings in unreachable branches.
    unreachable_bindings: Vec<(Atom, u32, BindingKind)>,
    /// Names that reachable module-level code binds.
    module_names: HashSet<Atom>,
}

impl<'a> Walker<'a> {
    /// Returns the source text of a node.
    pub fn text_of(&self, node: Node<'_>) -> &'a str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    /// Binds a name. Module-level bindings in unreachable branches are deferred to [`Walker::bind_unreachable_names`].
    pub fn bind(&mut self, scope: ScopeId, name: Atom, position: u32, kind: BindingKind) {
        if scope != MODULE_SCOPE {
            self.facts.bind(scope, name, position, kind);
        } else if self.is_unreachable {
            self.unreachable_bindings.push((name, position, kind));
        } else {
            self.module_names.insert(name);
            self.facts.bind(scope, name, position, kind);
        }
    }

    /// Binds the module-level names that only unreachable branches bind.
    fn bind_unreachable_names(&mut self) {
        for (name, position, kind) in std::mem::take(&mut self.unreachable_bindings) {
            if !self.module_names.contains(&name) {
                self.facts.bind(MODULE_SCOPE, name, position, kind);
            }
        }
    }

    /// Returns the atom of a node's text.
    pub fn atom(&mut self, node: Node<'_>) -> Atom {
        let text = self.text_of(node);
        self.facts.atom(text)
    }

    /// Records a reference.
    pub fn add_reference(&mut self, expr: ExprId, position: usize, role: Role) {
        if self.is_replay {
            return;
        }
        let Context { scope, source, .. } = self.context;
        self.facts.refer(Reference { expr, scope, position: position as u32, role, source });
    }

    /// Returns a definition with only the required properties set.
    pub fn new_definition(&mut self, name: Atom, kind: SymbolKind, node: Node<'_>, name_node: Node<'_>) -> Definition {
        let container = self.context.class.map_or(Container::Module, Container::Definition);
        Definition {
            name,
            kind,
            scope_names: self.names.clone(),
            container,
            parent: self.context.source,
            span: span(node, name_node),
            signature: String::new(),
            doc: String::new(),
            flags: Flags {
                is_test: self.in_test,
                is_local: self.context.is_local,
                is_cfg_inactive: self.is_unreachable && self.context.class.is_some(),
                ..Flags::default()
            },
            scope: self.context.scope,
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
}

/// Returns the span of `node` with the line of its name.
pub(super) fn span(node: Node<'_>, name_node: Node<'_>) -> Span {
    Span {
        start_byte: node.start_byte() as u32,
        end_byte: node.end_byte() as u32,
        start_line: node.start_position().row as u32 + 1,
        end_line: node.end_position().row as u32 + 1,
        name_line: name_node.start_position().row as u32 + 1,
    }
}

/// Returns whether a file is test code: `test_x.py`, `x_test.py`, `conftest.py`, or any file in a `tests` folder.
fn is_test_file(path: &str) -> bool {
    let (folders, file) = split_path(path);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    stem.starts_with("test_")
        || stem.ends_with("_test")
        || matches!(stem, "conftest" | "tests")
        || folders.split('/').any(|folder| folder == "tests")
}

/// Returns whether test runners collect a function of this name.
pub(super) fn is_test_function(name: &str) -> bool {
    name.starts_with("test_")
}
