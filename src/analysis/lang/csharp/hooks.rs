//! C#'s nodes that no pattern can describe: namespaces, using directives, members.

use std::collections::HashSet;

use tree_sitter::Node;

use super::{routes, values};
use crate::facts::{BaseRelation, BindingKind, Definition, Expr, ExprId, Import, ImportName, Role, ScopeId, ScopeKind};
use crate::lang::common::Hook;
use crate::lang::common::patterns::Part;
use crate::lang::common::walker::{Call, Walker};
use crate::model::{DefId, SymbolKind};

/// The hooks by their names in `csharp.scm`.
pub const HOOKS: &[(&str, Hook)] = &[
    ("accessor", accessor),
    ("anonymous_object", values::anonymous_object),
    ("array", values::array),
    ("attribute", routes::attribute),
    ("await", values::awaited),
    ("binary", values::binary),
    ("conditional", conditional),
    ("constructor", constructor),
    ("creation", values::creation),
    ("delegate", delegate),
    ("designation", values::designation),
    ("from", values::from),
    ("implicit_creation", values::implicit_creation),
    ("is", values::is_type),
    ("join", values::join),
    ("last", values::last),
    ("let", values::let_clause),
    ("namespace", namespace),
    ("predefined", values::predefined),
    ("property", property),
    ("query", values::query),
    ("recursive_pattern", values::recursive_pattern),
    ("subscript", values::subscript),
    ("switch", values::switch),
    ("throw", values::throw),
    ("tuple", values::tuple),
    ("tuple_type", values::tuple_type),
    ("typeof", values::type_of),
    ("unnamed", unnamed),
    ("using", using),
    ("using_statement", using_statement),
    ("variables", variables),
    ("with", values::with),
];

/// State of the walk that only C# has.
#[derive(Default)]
struct State {
    /// The namespaces that are packages of the file, by the numbers of their nodes.
    packages: HashSet<usize>,
    /// The scope of the names that belong to the project and not to the namespace of the file.
    of_project: Option<ScopeId>,
}

/// Declarations of types, which belong to no namespace at the top level of a file.
const TYPES: &[&str] = &[
    "class_declaration",
    "delegate_declaration",
    "enum_declaration",
    "interface_declaration",
    "record_declaration",
    "struct_declaration",
];

/// Finds the namespaces that are the only ones at the top level of the file, and in the branch of `#if` that has them. A
/// file with types outside has no such namespace.
pub fn find_only_namespaces<'a>(walker: &mut Walker<'a>, root: Node<'a>) {
    let mut only = HashSet::new();
    let mut outside = 0;
    let mut open = vec![root];
    while let Some(place) = open.pop() {
        let (mut own, mut first) = (0, None);
        for child in walker.children(place) {
            if TYPES.contains(&child.kind()) {
                own += 1;
                outside += usize::from(place != root);
            } else if child.kind() == "namespace_declaration" {
                own += 1;
                first = first.or(Some(child.id()));
            } else if child.kind().starts_with("preproc") {
                open.push(child);
            }
        }
        if place == root {
            outside = own;
        }
        let all = own + if place == root { 0 } else { outside };
        only.extend(first.filter(|_| all == 1));
    }
    walker.state::<State>().packages = only;
}

/// Returns the scope of the names that a file declares for its project. There is one, because lookups try each part of the project.
fn scope_of_project(walker: &mut Walker<'_>) -> ScopeId {
    if let Some(scope) = walker.state::<State>().of_project {
        return scope;
    }
    let scope = walker.open_scope(ScopeKind::Exports, None);
    walker.state::<State>().of_project = Some(scope);
    scope
}

/// Visits a namespace. The only one of a file is the package of the file; others are inline modules.
fn namespace<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let is_only = walker.state::<State>().packages.contains(&node.id());
    match (walker.field(node, "name"), walker.field(node, "body"), walker.pattern(node)) {
        (Some(name), Some(body), _) if is_only => {
            let name: String = walker.text_of(name).split_whitespace().collect();
            walker.facts.package(&name);
            walker.statements(body);
        }
        (_, _, Some(pattern)) => walker.namespace(node, pattern),
        _ => {}
    }
    walker.unknown
}

/// The methods by which a `using` closes a value.
const CLOSING: &[&str] = &["Dispose", "DisposeAsync"];

/// Visits `using (…) { … }`. One with a variable closes that.
fn using_statement<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let body = walker.field(node, "body");
    walker.in_scope(ScopeKind::Block, |walker| {
        for child in walker.children(node) {
            let value = walker.visit(child, Role::Read);
            if Some(child) != body && child.kind() != "variable_declaration" {
                walker.implied_call(value, CLOSING, &[], child);
            }
        }
    });
    walker.unknown
}

/// Adds the local variables of a declaration, which closes them if it is a `using`.
fn variables<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let around = node.parent();
    if around.is_some_and(|around| around.kind() == "using_statement" || walker.has_token(around, "using")) {
        walker.closed_variables(node, pattern, CLOSING);
    } else {
        walker.variables(node, pattern);
    }
    walker.unknown
}

/// Adds `using A.B;`, `using static A.B.C;` and `using N = A.B.C;`. The names of a global one belong to the whole
/// project.
fn using<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let alias = walker.field(node, "name");
    let Some(&target) = walker.children(node).last().filter(|target| Some(**target) != alias) else {
        return walker.unknown;
    };
    let text: String = walker.text_of(target).split_whitespace().collect();
    let text = text.trim_start_matches("global::");
    let reexport = walker.has_token(node, "global");
    let scope = if reexport { scope_of_project(walker) } else { walker.context.scope };
    let (outer, name) = text.rsplit_once('.').unwrap_or(("", text));
    let (path, name, bound) = if let Some(alias) = alias {
        let alias_name = walker.atom_of(alias);
        if text.contains(['<', '[', '(', '?']) {
            let known = walker.type_expr(target, Some(Role::Type));
            let position = alias.start_byte() as u32;
            walker.facts.bind(scope, alias_name, position, BindingKind::Alias(known));
            return walker.unknown;
        }
        (vec![outer], ImportName::Named(walker.facts.atom(name)), Some(alias_name))
    } else if walker.has_token(node, "static") {
        (vec![outer, name], ImportName::All, None)
    } else {
        (vec![text], ImportName::All, None)
    };
    let path = path.into_iter().map(|segment| walker.facts.atom(segment)).collect();
    let position = target.start_byte() as u32;
    let import = walker.facts.import(Import { scope, path, level: 0, name, position, reexport });
    if let Some(bound) = bound {
        walker.facts.bind(scope, bound, position, BindingKind::Import(import));
    }
    walker.unknown
}

/// Visits the branches of `#if`, but not its condition.
fn conditional<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let condition = walker.field(node, "condition");
    walker.descend((), |walker| {
        for child in walker.children(node).into_iter().filter(|child| Some(*child) != condition) {
            walker.visit(child, Role::Read);
        }
    });
    walker.unknown
}

/// Adds a delegate: a type whose values are called.
fn delegate<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let (Some(name), Some(pattern)) = (walker.field(node, "name"), walker.pattern(node)) else {
        return walker.unknown;
    };
    let (mut definition, decorators) = walker.header(node, pattern, name, SymbolKind::Type);
    let outer = walker.context;
    let scope = walker.open_scope(ScopeKind::Block, None);
    definition.scope = scope;
    let id = walker.define(definition, None);
    walker.decorators(&decorators, id);
    walker.context.scope = scope;
    walker.context.source = Some(id);
    let type_parameters = walker.type_parameters(node, pattern, id);
    let lists = walker.parts(node, pattern, Part::Parameters);
    let parameters = walker.parameters(&lists);
    let result = walker.part(node, pattern, Part::Result).map(|part| walker.type_expr(part, Some(Role::Type)));
    walker.context = outer;
    let unknown = walker.unknown;
    let params = parameters.iter().map(|parameter| parameter.value_type.unwrap_or(unknown)).collect();
    let function = walker.facts.expr(Expr::Function { params, result });
    let definition = walker.facts.definition_mut(id);
    (definition.type_parameters, definition.value_type) = (type_parameters.into(), Some(function));
    walker.unknown
}

/// Adds a property or an event: a field if its accessors have no bodies.
fn property<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let (Some(name), Some(pattern)) = (walker.field(node, "name"), walker.pattern(node)) else {
        return walker.unknown;
    };
    let bodies = walker.parts(node, pattern, Part::Body);
    let is_code = |body: &Node<'a>| body.kind() == "arrow_expression_clause" || walker.field(*body, "body").is_some();
    if bodies.iter().any(is_code) {
        let (mut definition, decorators) = walker.header(node, pattern, name, SymbolKind::Method);
        definition.flags.is_property = true;
        walker.open_function(node, pattern, definition, &decorators);
        return walker.unknown;
    }
    let (definition, decorators) = walker.header(node, pattern, name, SymbolKind::Field);
    let value_type = walker.part(node, pattern, Part::Result).map(|part| walker.type_expr(part, Some(Role::Type)));
    let id = walker.define(Definition { value_type, ..definition }, None);
    walker.decorators(&decorators, id);
    let value = walker.field(node, "value").map(|value| walker.visit(value, Role::Read));
    walker.facts.definition_mut(id).value = value;
    walker.unknown
}

/// Visits the body of an accessor. All but `get` have a parameter called `value`.
fn accessor<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(body) = walker.field(node, "body") else { return walker.unknown };
    let owner = node.parent().and_then(|list| list.parent());
    walker.in_scope(ScopeKind::Block, |walker| {
        if let Some(value_type) = owner.and_then(|owner| walker.field(owner, "type")) {
            let value_type = walker.type_expr(value_type, None);
            let name = walker.facts.atom("value");
            let kind = BindingKind::Parameter { value_type: Some(value_type), value: None };
            walker.facts.bind(walker.context.scope, name, node.start_byte() as u32, kind);
        }
        walker.visit(body, Role::Read)
    })
}

/// Adds an operator, a conversion, a destructor or an indexer, which have names of their own.
fn unnamed<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let (Some(name_node), name) = (match node.kind() {
        "operator_declaration" => {
            let operator = walker.field(node, "operator");
            (operator, format!("operator {}", operator.map_or("", |operator| walker.text_of(operator))))
        }
        "conversion_operator_declaration" => {
            let known = walker.field(node, "type");
            (known, format!("operator {}", known.map_or("", |known| walker.text_of(known))))
        }
        "destructor_declaration" => {
            let name = walker.field(node, "name");
            (name, format!("~{}", name.map_or("", |name| walker.text_of(name))))
        }
        _ => (walker.field(node, "parameters"), "this[]".to_owned()),
    }) else {
        return walker.unknown;
    };
    let (mut definition, decorators) = walker.header(node, pattern, name_node, SymbolKind::Method);
    definition.name = walker.facts.atom(&name);
    walker.open_function(node, pattern, definition, &decorators);
    walker.unknown
}

/// Visits `: base(…)` and `: this(…)`, calls of constructors.
fn constructor<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let is_parent = walker.has_token(node, "base");
    let expr = walker.facts.expr(if is_parent { Expr::Parent } else { Expr::ReceiverType });
    walker.refer(expr, node, Role::Call);
    if let Some(pattern) = walker.pattern(node) {
        let nodes = walker.argument_nodes(node, pattern);
        walker.arguments(expr, &nodes);
    }
    walker.unknown
}

/// Binds the variables that arguments declare, and adds the signals of a call.
pub fn on_call<'a>(walker: &mut Walker<'a>, call: &Call<'a>) {
    values::out_variables(walker, call);
    routes::on_call(walker, call);
}

/// Tells interfaces among the bases of types by their names, and separates the receivers of extension methods from
/// their parameters.
pub fn on_end(walker: &mut Walker<'_>) {
    for id in DefId::sequence().take(walker.facts.definitions().len()) {
        let definition = walker.facts.definition(id);
        let is_class = definition.kind == SymbolKind::Type;
        let bases = definition.bases.clone();
        let is_extension = definition.kind.is_callable() && is_extension(&definition.signature);
        for (number, base) in bases.iter().enumerate() {
            if is_class && is_interface(walker, base.expr) {
                walker.facts.definition_mut(id).bases[number].relation = BaseRelation::Implements;
            }
        }
        let definition = walker.facts.definition_mut(id);
        if is_extension && !definition.parameters.is_empty() {
            definition.value_type = definition.parameters.remove(0).value_type;
        }
    }
}

/// Returns whether the first parameter of a method is `this T name`.
fn is_extension(signature: &str) -> bool {
    let parameters = signature.split_once('(').map_or("", |(_, parameters)| parameters);
    let first = parameters.rsplit_once("] this ").map_or(parameters, |_| "this ");
    first.starts_with("this ")
}

/// Returns whether a type is an interface by custom: its name is `I` and a capital letter.
fn is_interface(walker: &Walker<'_>, expr: ExprId) -> bool {
    match walker.facts.get(expr) {
        Expr::Name(name) | Expr::Member { name, .. } => {
            let mut letters = walker.facts.text(*name).chars();
            letters.next() == Some('I') && letters.next().is_some_and(char::is_uppercase)
        }
        Expr::Apply { base, .. } => is_interface(walker, *base),
        _ => false,
    }
}
