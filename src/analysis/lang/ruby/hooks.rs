//! Ruby's definitions and expressions that no pattern can describe.

use tree_sitter::Node;

use super::{calls, declarations};
use crate::facts::{BindingKind, Container, DefId, Definition, Expr, ExprId, Flags, Role, ScopeKind};
use crate::lang::common::Hook;
use crate::lang::common::patterns::Part;
use crate::lang::common::walker::Walker;
use crate::model::SymbolKind;

/// The hooks by their names in `ruby.scm`.
pub const HOOKS: &[(&str, Hook)] = &[
    ("alias", declarations::alias),
    ("array", array),
    ("assignment", assignment),
    ("base_call", declarations::base_call),
    ("binary", binary),
    ("body", body),
    ("call", calls::call),
    ("class", class),
    ("destructured", destructured),
    ("identifier", calls::identifier),
    ("index", index),
    ("method", method),
    ("module", module),
    ("pair", pair),
    ("rescue", rescue),
    ("return", return_values),
    ("scope_resolution", scope_resolution),
    ("self", own),
    ("singleton_class", singleton_class),
    ("singleton_method", singleton_method),
    ("string", string),
    ("super", calls::parent),
    ("symbol", symbol),
    ("unary", unary),
    ("variable", variable),
];

/// State of the hooks over one file.
#[derive(Default)]
pub struct FileState {
    /// The names of the class whose instance variables a view has.
    pub view: Option<Vec<String>>,
    /// The class that the group of tests is about.
    pub described_class: Option<String>,
}

/// Returns the type whose body or method contains the walk.
pub fn enclosing_type(walker: &Walker<'_>) -> Option<DefId> {
    let mut at = Some(walker.context.scope);
    while let Some(id) = at {
        let scope = walker.facts.get_scope(id);
        if scope.kind == ScopeKind::Type {
            return scope.definition;
        }
        at = scope.parent;
    }
    None
}

/// Returns whether `self` is the class here: in its body and in its singleton methods.
pub fn is_static(walker: &Walker<'_>) -> bool {
    walker.context.source.is_some_and(|id| {
        let definition = walker.facts.definition(id);
        definition.kind.is_type() || definition.flags.is_static
    })
}

/// Returns `self` if a type encloses the walk.
pub fn receiver(walker: &mut Walker<'_>) -> Option<ExprId> {
    enclosing_type(walker)?;
    let expr = if is_static(walker) { Expr::ReceiverType } else { Expr::Receiver };
    Some(walker.facts.expr(expr))
}

/// Returns a value of the class whose instance variables a view has.
fn controller(walker: &mut Walker<'_>) -> Option<ExprId> {
    let names = walker.state::<FileState>().view.clone()?;
    let mut class: Option<ExprId> = None;
    for name in &names {
        class = Some(match class {
            Some(outer) => walker.facts.member(outer, name),
            None => walker.facts.name(name),
        });
    }
    class.map(|class| walker.instance(class))
}

fn own<'a>(walker: &mut Walker<'a>, _node: Node<'a>, _role: Role) -> ExprId {
    receiver(walker).unwrap_or(walker.unknown)
}

fn class<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    open_type(walker, node, SymbolKind::Type)
}

fn module<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    open_type(walker, node, SymbolKind::Interface)
}

/// Adds a class or a module. `class A::B` is a member of `A`, whose names are not visible in it.
fn open_type<'a>(walker: &mut Walker<'a>, node: Node<'a>, kind: SymbolKind) -> ExprId {
    let (Some(pattern), Some(name_node)) = (walker.pattern(node), walker.field(node, "name")) else {
        return walker.unknown;
    };
    let path = walker.text_of(name_node);
    let (outer, name) = path.rsplit_once("::").unwrap_or(("", path));
    let (before, names) = (walker.context, walker.scope_names.clone());
    if name_node.kind() == "scope_resolution" {
        if path.starts_with("::") {
            walker.scope_names.clear();
        }
        for segment in outer.split("::").filter(|segment| !segment.is_empty()) {
            let segment = walker.facts.atom(segment.trim());
            walker.scope_names.push(segment);
        }
        walker.context.container = Container::Module;
        walker.context.scope = walker.open_scope(ScopeKind::Block, None);
    }
    let (mut definition, decorators) = walker.header(node, pattern, name_node, kind);
    definition.name = walker.facts.atom(name.trim());
    walker.open_type(node, pattern, definition, &decorators);
    (walker.context, walker.scope_names) = (before, names);
    walker.unknown
}

/// Visits `class << self`, whose methods are called on the class.
fn singleton_class<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(body) = walker.field(node, "body") else { return walker.unknown };
    match walker.context.container {
        Container::Definition(id) => {
            let before = std::mem::replace(&mut walker.facts.definition_mut(id).flags.is_static, true);
            walker.visit(body, Role::Read);
            walker.facts.definition_mut(id).flags.is_static = before;
        }
        _ => _ = walker.visit(body, Role::Read),
    }
    walker.unknown
}

fn method<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let is_static = match walker.context.container {
        Container::Definition(id) => walker.facts.definition(id).flags.is_static,
        _ => false,
    };
    open_method(walker, node, is_static)
}

fn singleton_method<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    open_method(walker, node, true)
}

fn open_method<'a>(walker: &mut Walker<'a>, node: Node<'a>, is_static: bool) -> ExprId {
    let (Some(pattern), Some(name_node)) = (walker.pattern(node), walker.field(node, "name")) else {
        return walker.unknown;
    };
    let is_member = walker.context.container != Container::Module;
    let kind = if is_member { SymbolKind::Method } else { SymbolKind::Function };
    let (mut definition, decorators) = walker.header(node, pattern, name_node, kind);
    definition.flags.is_static = is_static && is_member;
    let id = walker.open_function(node, pattern, definition, &decorators);
    walker.facts.definition_mut(id).flags.is_abstract = false;
    walker.unknown
}

/// Visits statements with `rescue`, `else` and `ensure`. Returns the values of the last statement and of the rescues.
fn body<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let (mut last, mut others) = (walker.unknown, Vec::new());
    for child in walker.children(node) {
        let value = walker.visit(child, Role::Read);
        match child.kind() {
            "rescue" | "else" => others.push(value),
            "ensure" => {}
            _ => last = value,
        }
    }
    others.insert(0, last);
    walker.union(others)
}

fn rescue<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let mut known = Vec::new();
    if let Some(exceptions) = walker.field(node, "exceptions") {
        for exception in walker.children(exceptions) {
            let expr = walker.type_expr(exception, Some(Role::Type));
            known.push(walker.instance(expr));
        }
    }
    if let Some(variable) = walker.field(node, "variable") {
        let value = walker.union(known);
        for target in walker.children(variable) {
            assign(walker, target, node, value);
        }
    }
    match walker.field(node, "body") {
        Some(body) => walker.visit(body, Role::Read),
        None => walker.unknown,
    }
}

fn return_values<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    for list in walker.children(node) {
        let values: Vec<ExprId> =
            walker.children(list).into_iter().map(|child| walker.visit(child, Role::Read)).collect();
        if let &[value] = values.as_slice() {
            walker.add_return(value);
        }
    }
    walker.unknown
}

/// Visits `a = b`, `a ||= b`, `a, b = c`, `A = b`, `@a = b`, `a.b = c`.
fn assignment<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let (Some(left), Some(right)) = (walker.field(node, "left"), walker.field(node, "right")) else {
        return walker.unknown;
    };
    if left.kind() == "constant" {
        return declarations::constant(walker, node, left, right);
    }
    let value = walker.visit(right, Role::Read);
    if node.kind() == "operator_assignment" {
        let operator = walker.field(node, "operator").map_or("", |operator| walker.text_of(operator));
        let method = operator.trim_end_matches('=');
        let target = walker.replay(|walker| walker.visit(left, Role::Read));
        if !matches!(method, "||" | "&&" | "") {
            walker.implied_call(target, &[method], &[value], node);
        }
    }
    assign(walker, left, node, value);
    value
}

/// Assigns a value to a target: a variable, a list of them, or an attribute.
fn assign<'a>(walker: &mut Walker<'a>, left: Node<'a>, whole: Node<'a>, value: ExprId) {
    match left.kind() {
        "identifier" => {
            let name = walker.atom_of(left);
            walker.bind_local(name, whole, None, Some(value));
        }
        "instance_variable" | "class_variable" => field(walker, left, whole, value),
        "left_assignment_list" | "destructured_left_assignment" | "rest_assignment" => {
            for (index, target) in (0_u16..).zip(walker.children(left)) {
                let item = if value == walker.unknown { value } else { walker.facts.expr(Expr::Item(value, index)) };
                walker.descend((), |walker| assign(walker, target, whole, item));
            }
        }
        "call" => {
            let (Some(object), Some(name)) = (walker.field(left, "receiver"), walker.field(left, "method")) else {
                return;
            };
            let base = walker.visit(object, Role::Read);
            let text = walker.text_of(name);
            let setter = walker.facts.member(base, &format!("{text}="));
            let attribute = walker.facts.member(base, text);
            let either = walker.facts.expr(Expr::Union(vec![setter, attribute]));
            walker.refer(either, name, Role::Write);
        }
        "global_variable" => {}
        _ => _ = walker.visit(left, Role::Write),
    }
}

/// Adds a field for the first assignment of an instance variable; later ones add its value if it was unknown.
fn field<'a>(walker: &mut Walker<'a>, left: Node<'a>, whole: Node<'a>, value: ExprId) {
    let Some(owner) = enclosing_type(walker) else { return };
    let name = walker.atom_of(left);
    let known = (value != walker.unknown).then_some(value);
    let scope = Some(walker.context.scope);
    match walker.members.get(&(owner, name)) {
        Some(&id) => {
            let definition = walker.facts.definition_mut(id);
            if definition.value.is_none() {
                (definition.value, definition.value_scope) = (known, scope);
            }
        }
        None => {
            let definition = walker.new_definition(walker.text_of(left), SymbolKind::Field, whole, left);
            let id = member(walker, owner, Definition { value: known, value_scope: scope, ..definition });
            walker.members.insert((owner, name), id);
        }
    }
    variable(walker, left, Role::Write);
}

/// Adds a definition as a member of a type.
pub fn member(walker: &mut Walker<'_>, owner: DefId, definition: Definition) -> DefId {
    let outer = walker.facts.definition(owner);
    let mut scope_names = outer.scope_names.clone();
    scope_names.push(outer.name);
    let flags = Flags { is_local: false, ..definition.flags };
    let container = Container::Definition(owner);
    walker.define(Definition { scope_names, container, parent: Some(owner), flags, ..definition }, None)
}

/// Visits `@name` and `@@name`.
fn variable<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    let Some(base) = receiver(walker).or_else(|| controller(walker)) else { return walker.unknown };
    let name = walker.atom_of(node);
    let expr = walker.facts.expr(Expr::Member { base, name });
    walker.refer(expr, node, role);
    expr
}

/// Visits `A::B` and `::A`, as a value or a type.
fn scope_resolution<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    let Some(name_node) = walker.field(node, "name") else { return walker.unknown };
    let base = match walker.field(node, "scope") {
        Some(scope) => walker.visit(scope, Role::Read),
        None => {
            let root = walker.facts.atom("::");
            walker.facts.expr(Expr::Root(root))
        }
    };
    let name = walker.atom_of(name_node);
    let expr = walker.facts.expr(Expr::Member { base, name });
    walker.refer(expr, name_node, role);
    expr
}

fn binary<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let values: Vec<ExprId> = walker.children(node).into_iter().map(|child| walker.visit(child, Role::Read)).collect();
    let operator = walker.field(node, "operator").map_or("", |operator| walker.text_of(operator));
    match (operator, values.as_slice()) {
        ("||" | "or", _) => walker.union(values),
        ("&&" | "and", &[_, right]) => right,
        ("!=", &[left, right]) => {
            walker.implied_call(left, &["!=", "=="], &[right], node);
            walker.unknown
        }
        (_, &[left, right]) => walker.implied_call(left, &[operator], &[right], node),
        _ => walker.unknown,
    }
}

/// Visits `-a`, `!a` and `~a`.
fn unary<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let value = walker.field(node, "operand").map_or(walker.unknown, |operand| walker.visit(operand, Role::Read));
    let method = match walker.field(node, "operator").map_or("", |operator| walker.text_of(operator)) {
        "-" => "-@",
        "+" => "+@",
        "~" => "~",
        _ => return walker.unknown,
    };
    walker.implied_call(value, &[method], &[], node)
}

/// Visits `a[b]`.
fn index<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    let values: Vec<ExprId> = walker.children(node).into_iter().map(|child| walker.visit(child, Role::Read)).collect();
    let Some(&base) = values.first() else { return walker.unknown };
    let method = if role == Role::Write { "[]=" } else { "[]" };
    walker.implied_call(base, &[method], &values[1..], node);
    walker.facts.expr(Expr::Index(base))
}

fn array<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let values = walker.children(node).into_iter().map(|child| walker.visit(child, Role::Read)).collect();
    let element = walker.union(values);
    walker.facts.builtin("Array", vec![element])
}

fn string<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    walker.visit_children(node);
    walker.facts.builtin("String", Vec::new())
}

fn symbol<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    walker.visit_children(node);
    walker.facts.builtin("Symbol", Vec::new())
}

/// Visits the value of `name: value`; without a value, that of the name.
fn pair<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let key = walker.field(node, "key").filter(|key| key.kind() != "hash_key_symbol");
    for part in key.into_iter().chain(walker.parts(node, pattern, Part::Value)) {
        walker.visit(part, Role::Read);
    }
    walker.unknown
}

/// Binds the names of `(a, b)` in a list of parameters.
fn destructured<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    for child in walker.children(node) {
        if child.kind() == "identifier" {
            let name = walker.atom_of(child);
            let kind = BindingKind::Parameter { value_type: None, value: None };
            walker.facts.bind(walker.context.scope, name, child.start_byte() as u32, kind);
            walker.add_local(name);
        }
    }
    walker.unknown
}
