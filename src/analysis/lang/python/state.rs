//! The state of the walk beside that of all languages, and the names that it binds.

use std::collections::{HashMap, HashSet};

use tree_sitter::Node;

use crate::facts::{Atom, BindingKind, Container, DefId, Definition, Expr, ExprId, ScopeId};
use crate::lang::common::flow::LocalValue;
use crate::lang::common::walker::Walker;
use crate::model::SymbolKind;

/// The scope of a file's top level.
pub const MODULE_SCOPE: ScopeId = ScopeId(0);

/// The state of the walk over a file.
#[derive(Debug, Default)]
pub struct State {
    /// State of the enclosing function.
    pub frame: Frame,
    /// Bounds of type variables by name: `T = TypeVar("T", bound=…)`.
    pub type_variables: HashMap<Atom, Vec<ExprId>>,
    /// Type variables in annotations since the header of the enclosing function or class began.
    pub used_type_variables: Vec<Atom>,
    /// Type variables that enclosing classes and functions bind.
    pub bound_type_variables: Vec<Atom>,
    /// Functions in class bodies, by class and name.
    pub methods: HashSet<(DefId, Atom)>,
    /// Module-level variables by name.
    pub variables: HashMap<Atom, DefId>,
    /// Names that module-level imports bind.
    pub imported: HashSet<Atom>,
    /// Module-level bindings in unreachable branches.
    unreachable_bindings: Vec<(Atom, u32, BindingKind)>,
    /// Names that reachable module-level code binds.
    module_names: HashSet<Atom>,
}

/// The statement that declares a name to be bound outside the function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OuterBinding {
    /// `global`
    Global,
    /// `nonlocal`
    Nonlocal,
}

/// The state of the enclosing function.
#[derive(Debug, Default)]
pub struct Frame {
    /// Declared values of local names and parameters.
    pub declared: Vec<LocalValue>,
    /// Yielded values.
    pub yields: Vec<ExprId>,
    /// Whether the function contains a `yield`.
    pub is_generator: bool,
    /// Names of `global` and `nonlocal` statements.
    pub outer_names: Vec<(Atom, OuterBinding)>,
    /// The first parameter of the enclosing method and its value.
    pub receiver: Option<LocalValue>,
    /// The class of the enclosing method.
    pub class: Option<DefId>,
    /// Whether this is a test or a pytest fixture, whose parameters are fixtures by name.
    pub has_fixture_parameters: bool,
    /// Attributes narrowed by a check, as source text: `self.x`.
    pub narrowed_paths: Vec<Atom>,
}

impl Frame {
    /// Returns the declared value of a name.
    pub fn declared(&self, name: Atom) -> Option<ExprId> {
        self.declared.iter().rev().find(|(declared, _)| *declared == name).map(|(_, expr)| *expr)
    }

    /// Returns how a name is bound outside the function, if it is.
    pub fn outer_binding(&self, name: Atom) -> Option<OuterBinding> {
        self.outer_names.iter().find(|(outer, _)| *outer == name).map(|(_, binding)| *binding)
    }
}

/// Returns the state of the enclosing function.
pub fn frame<'w>(walker: &'w mut Walker<'_>) -> &'w mut Frame {
    &mut walker.state::<State>().frame
}

/// Returns the class, directly in a class body.
pub fn enclosing_class(walker: &Walker<'_>) -> Option<DefId> {
    match walker.context.container {
        Container::Definition(class) => Some(class),
        _ => None,
    }
}

/// Binds a name. Module-level bindings in unreachable branches are deferred to [`bind_unreachable_names`].
pub fn bind(walker: &mut Walker<'_>, scope: ScopeId, name: Atom, position: usize, kind: BindingKind) {
    let (position, is_unreachable) = (position as u32, walker.is_unreachable);
    if scope == MODULE_SCOPE {
        let state = walker.state::<State>();
        if is_unreachable {
            state.unreachable_bindings.push((name, position, kind));
            return;
        }
        state.module_names.insert(name);
    }
    walker.facts.bind(scope, name, position, kind);
}

/// Binds the module-level names that only unreachable branches bind.
pub fn bind_unreachable_names(walker: &mut Walker<'_>) {
    for (name, position, kind) in std::mem::take(&mut walker.state::<State>().unreachable_bindings) {
        if !walker.state::<State>().module_names.contains(&name) {
            walker.facts.bind(MODULE_SCOPE, name, position, kind);
        }
    }
}

/// Returns a definition with only the required properties set.
pub fn new_definition<'a>(
    walker: &mut Walker<'a>,
    name_node: Node<'a>,
    kind: SymbolKind,
    outer: Node<'a>,
) -> Definition {
    let mut definition = walker.bare_definition(walker.text_of(name_node), kind, outer, name_node);
    definition.flags.is_conditional = walker.flow.is_conditional();
    definition.flags.is_cfg_inactive = walker.is_unreachable && enclosing_class(walker).is_some();
    definition
}

/// Adds a definition and binds its name.
pub fn define(walker: &mut Walker<'_>, definition: Definition, name_node: Node<'_>) -> DefId {
    let name = definition.name;
    let id = walker.facts.define(definition, String::new());
    bind(walker, walker.context.scope, name, name_node.start_byte(), BindingKind::Definition(id));
    id
}

/// Returns the first named child that is not a comment.
pub fn first_child<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> Option<Node<'a>> {
    let first = node.named_child(0)?;
    if first.is_extra() { walker.children(node).first().copied() } else { Some(first) }
}

/// Returns the last name of a dotted expression, of its call, or of its generic application.
pub fn last_name<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> &'a str {
    let inner = match node.kind() {
        "identifier" => return walker.text_of(node),
        "attribute" => walker.field(node, "attribute"),
        "call" => walker.field(node, "function"),
        "subscript" => walker.field(node, "value"),
        "generic_type" | "type" => first_child(walker, node),
        _ => None,
    };
    inner.map_or("", |inner| last_name(walker, inner))
}

/// Returns whether an expression is the literal `None`.
pub fn is_none(walker: &Walker<'_>, expr: ExprId) -> bool {
    matches!(walker.facts.get(expr), Expr::Builtin { name, .. } if walker.facts.text(*name) == "None")
}

/// Returns whether test runners collect a function of this name.
pub fn is_test_function(name: &str) -> bool {
    name.starts_with("test_")
}
