//! Swift's extensions, properties and conditional bindings, which no pattern can describe.

use tree_sitter::Node;

use crate::facts::{ArgumentCount, BindingKind, DefId, Expr, ExprId, ImportName, Parameter, Role, ScopeKind};
use crate::lang::common::patterns::Part;
use crate::lang::common::walker::Walker;
use crate::lang::common::{Hook, light};
use crate::model::SymbolKind;

/// The hooks by their names in `swift.scm`.
pub const HOOKS: &[(&str, Hook)] = &[
    ("call", call),
    ("conditional", conditional),
    ("entry", entry),
    ("for", for_loop),
    ("function", function_type),
    ("import", import),
    ("operator", operator),
    ("path", light::path_type),
    ("prefix", prefix),
    ("property", property),
    ("transfer", transfer),
    ("tuple", tuple_type),
    ("type", type_declaration),
    ("wrapped", wrapped),
];

fn import<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    if let Some(&name) = walker.children(node).last() {
        let module = walker.text_of(name).split('.').next().unwrap_or_default();
        walker.import(name, &[module], ImportName::Module, &[]);
    }
    walker.unknown
}

/// Adds a class, a structure, an enumeration or an actor, or the members of an extension.
fn type_declaration<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    if let Some(name) = walker.part(node, pattern, Part::Name) {
        let (definition, decorators) = walker.header(node, pattern, name, SymbolKind::Type);
        walker.open_type(node, pattern, definition, &decorators);
        return walker.unknown;
    }
    let Some(extended) = walker.field(node, "name") else { return walker.unknown };
    let target = walker.type_expr(extended, Some(Role::Type));
    let names = light::type_names(walker, extended);
    let bases = walker.parts(node, pattern, Part::Extends);
    let mut bases = bases.into_iter().map(|base| walker.type_expr(base, None)).collect::<Vec<_>>().into_iter();
    let first = bases.next();
    bases.for_each(|base| walker.in_extension(node, (target, &names), Some(base), |_| {}));
    walker.in_extension(node, (target, &names), first, |walker| {
        if let Some(body) = walker.field(node, "body") {
            walker.visit_children(body);
        }
    });
    walker.unknown
}

/// Returns the type in `T?`, `some T` and `any T`.
fn wrapped<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    let inner = walker.children(node).first().copied();
    inner.map_or(walker.unknown, |inner| walker.type_expr(inner, Some(role)))
}

/// Returns the type `(A, B) -> C`.
fn function_type<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let params = match node.child_by_field_name("params") {
        Some(list) if list.kind() == "tuple_type" => parts_of_tuple(walker, list),
        Some(only) => vec![walker.type_expr(only, Some(Role::Type))],
        None => Vec::new(),
    };
    let result = node.child_by_field_name("return_type").map(|result| walker.type_expr(result, Some(Role::Type)));
    walker.facts.expr(Expr::Function { params, result })
}

/// Returns the type `(A, b: B)`, or that in parentheses.
fn tuple_type<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    match parts_of_tuple(walker, node).as_slice() {
        &[only] => only,
        parts => walker.facts.expr(Expr::Tuple(parts.to_vec())),
    }
}

fn parts_of_tuple<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> Vec<ExprId> {
    let mut parts = Vec::new();
    for item in walker.children(node).into_iter().filter(|item| item.kind() == "tuple_type_item") {
        let known = walker.children(item).into_iter().rfind(|child| child.kind() != "simple_identifier");
        parts.push(known.map_or(walker.unknown, |known| walker.type_expr(known, Some(Role::Type))));
    }
    parts
}

/// Visits `for a in b {}` and `for (a, b) in c {}`.
fn for_loop<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    walker.in_scope(ScopeKind::Block, |walker| {
        let (item, collection) = (walker.field(node, "item"), walker.field(node, "collection"));
        let value = collection.map_or(walker.unknown, |collection| walker.visit(collection, Role::Read));
        let element = walker.facts.expr(Expr::Element(value));
        if let Some(item) = item {
            bind_pattern(walker, item, element);
        }
        for child in walker.children(node) {
            if Some(child) != item && Some(child) != collection {
                walker.visit(child, Role::Read);
            }
        }
    });
    walker.unknown
}

/// Binds the names of `a` or `(a, b)` to a value or its parts.
fn bind_pattern<'a>(walker: &mut Walker<'a>, pattern: Node<'a>, value: ExprId) {
    let inner = walker.children(pattern);
    match (walker.field(pattern, "bound_identifier"), inner.as_slice()) {
        (None, &[]) if pattern.kind() == "simple_identifier" => {
            let atom = walker.atom_of(pattern);
            walker.bind_local(atom, pattern, None, Some(value));
        }
        (Some(name), _) => {
            let atom = walker.atom_of(name);
            walker.bind_local(atom, pattern, None, Some(value));
        }
        (None, &[only]) => walker.descend((), |walker| bind_pattern(walker, only, value)),
        (None, parts) => {
            let is_pattern = |part: &&Node<'a>| matches!(part.kind(), "pattern" | "simple_identifier");
            for (number, part) in (0_u16..).zip(parts.iter().filter(is_pattern)) {
                let value = walker.facts.expr(Expr::Item(value, number));
                walker.descend((), |walker| bind_pattern(walker, *part, value));
            }
        }
    }
}

/// Operations whose last operand is called, where the grammar takes the whole for the callee: `a + b.c()`.
const OPERATIONS: &[&str] = &[
    "additive_expression",
    "bitwise_operation",
    "comparison_expression",
    "conjunction_expression",
    "disjunction_expression",
    "equality_expression",
    "infix_expression",
    "multiplicative_expression",
    "nil_coalescing_expression",
    "prefix_expression",
    "range_expression",
    "ternary_expression",
];

/// Returns the operand that a call is of.
pub fn last_operand(function: Node<'_>) -> Node<'_> {
    let mut at = function;
    while OPERATIONS.contains(&at.kind()) {
        let Some(last) = at.named_children(&mut at.walk()).last() else { break };
        at = last;
    }
    at
}

/// Visits a call, and the operations that the grammar has inside of it.
fn call<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let mut outer = walker.children(node).first().copied();
    let (mut first, mut is_implicit) = (None, false);
    while let Some(operation) = outer.filter(|function| OPERATIONS.contains(&function.kind())) {
        let mut operands = walker.children(operation);
        is_implicit = is_of_expected_type(walker, operation);
        outer = operands.pop();
        let symbol = operands.first().and_then(|left| left.next_sibling()).map_or("", |symbol| walker.text_of(symbol));
        for operand in operands {
            let value = walker.visit(operand, Role::Read);
            first.get_or_insert((value, symbol));
        }
    }
    let called = match outer.filter(|_| is_implicit) {
        Some(name) => {
            let compared = walker.state::<State>().compared.take();
            let compared = first.map(|(left, _)| left).or(compared);
            let member = implicit_member(walker, node, name, compared);
            // A member of an unknown type is not guessed by its name alone.
            let callee = walker.facts.expr(Expr::FirstOf(vec![member]));
            walker.call_of(node, pattern, (callee, Some(name), None))
        }
        None => walker.call(node, pattern),
    };
    match first {
        Some((left, symbol)) => walker.implied_call(left, &[symbol], &[left, called], node),
        None => called,
    }
}

/// Returns whether an operation is a member of the type that its place expects: `.name`.
fn is_of_expected_type(walker: &Walker<'_>, operation: Node<'_>) -> bool {
    operation.kind() == "prefix_expression" && walker.text_of(operation).starts_with('.')
}

/// Visits `-a`, and `.name`.
fn prefix<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    match walker.field(node, "target").filter(|_| is_of_expected_type(walker, node)) {
        Some(name) if name.kind() == "simple_identifier" => {
            let compared = walker.state::<State>().compared.take();
            let member = implicit_member(walker, node, name, compared);
            // Where the type is not known, it is mostly that around: a case of an enumeration.
            let atom = walker.atom_of(name);
            let own = walker.facts.expr(Expr::Name(atom));
            let meant = walker.facts.expr(Expr::FirstOf(vec![member, own]));
            walker.refer(meant, name, role);
            meant
        }
        _ => {
            walker.visit_children(node);
            walker.unknown
        }
    }
}

/// The memory of the hooks in a file.
#[derive(Default)]
struct State {
    /// The value with which the operand that is visited is compared.
    compared: Option<ExprId>,
}

/// Returns the member of the type that the place of `node` expects, or of the value with which it is compared.
fn implicit_member<'a>(walker: &mut Walker<'a>, node: Node<'a>, name: Node<'a>, compared: Option<ExprId>) -> ExprId {
    let base = match compared {
        Some(value) => value,
        None => expected_value(walker, node).unwrap_or(walker.unknown),
    };
    let name = walker.atom_of(name);
    walker.facts.expr(Expr::Member { base, name })
}

/// Returns a value of the type that the place of an expression expects: a parameter, a variable or a result.
fn expected_value<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> Option<ExprId> {
    let argument = walker.context.argument.take();
    let (mut at, mut outer, mut lists) = (node, node.parent()?, 0);
    while AROUND_MEMBERS.contains(&outer.kind()) {
        lists += usize::from(outer.kind() == "array_literal");
        (at, outer) = (outer, outer.parent()?);
    }
    let expected = match outer.kind() {
        "value_argument" => {
            let (call, argument) = argument?;
            walker.facts.expr(Expr::ArgumentOf { call, argument })
        }
        "property_declaration" => {
            let annotation = walker.children(outer).into_iter().find(|child| child.kind() == "type_annotation")?;
            let known = walker.field(annotation, "name")?;
            let known = walker.type_expr(known, None);
            walker.instance(known)
        }
        "control_transfer_statement" => result_around(walker, outer)?,
        // The only expression of a body is its result.
        "statements" if outer.named_child_count() == 1 && outer.named_child(0) == Some(at) => {
            result_around(walker, outer)?
        }
        _ => return None,
    };
    Some((0..lists).fold(expected, |list, _| walker.facts.expr(Expr::Element(list))))
}

/// Nodes between a member of an expected type and the place that expects it, or a list of its values.
const AROUND_MEMBERS: &[&str] =
    &["array_literal", "await_expression", "call_expression", "navigation_expression", "try_expression"];

/// Returns a value of the declared result of the function whose body has a node.
fn result_around<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> Option<ExprId> {
    let mut around = std::iter::successors(node.parent(), Node::parent);
    let is_body = |outer: &Node<'a>| {
        matches!(outer.kind(), "function_declaration" | "lambda_literal" | "property_declaration" | "source_file")
    };
    let body = around.find(is_body)?;
    let is_block = node.kind() != "statements" || node.parent()?.parent() == Some(body);
    let declares = matches!(body.kind(), "function_declaration" | "property_declaration");
    let function = walker.context.source.filter(|_| declares && is_block)?;
    let result = walker.facts.definition(function).result?;
    Some(walker.instance(result))
}

/// Visits `a + b`, a call of the function that the type of `a` has for the operator.
fn operator<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let children = walker.children(node);
    let mut values = Vec::with_capacity(children.len());
    for child in &children {
        let before = walker.state::<State>().compared;
        let is_implicit = walker.text_of(*child).starts_with('.');
        walker.state::<State>().compared = values.first().copied().filter(|_| is_implicit);
        values.push(walker.visit(*child, Role::Read));
        walker.state::<State>().compared = before;
    }
    let &[left, right] = values.as_slice() else { return walker.unknown };
    let symbol = children[0].next_sibling().map_or("", |symbol| walker.text_of(symbol));
    let result = walker.implied_call(left, &[symbol], &[left, right], node);
    if node.kind().starts_with("equality") || node.kind().starts_with("comparison") {
        return walker.facts.builtin("Bool", Vec::new());
    }
    result
}

/// Sets the values of `$0` and `$1` in a closure.
pub fn enter_lambda(walker: &mut Walker<'_>, callee: ExprId, arguments: &[ExprId]) {
    let call = walker.facts.expr(Expr::Call { callee, args: arguments.to_vec() });
    let argument = arguments.len().saturating_sub(1) as u16;
    for (parameter, name) in (0_u16..).zip(["$0", "$1"]) {
        let value = walker.facts.expr(Expr::LambdaParameter { call, argument, parameter });
        let name = walker.facts.atom(name);
        walker.flow.locals.push(name, value);
    }
}

/// Sets the label of a parameter and the number of its arguments.
pub fn parameter(walker: &mut Walker<'_>, node: Node<'_>, parameter: &mut Parameter) {
    let label = node.child_by_field_name("external_name").map(|label| walker.atom_of(label));
    parameter.label = Some(label.unwrap_or(parameter.name));
    if node.kind() != "parameter" {
        parameter.label = None;
    }
    if node.next_sibling().is_some_and(|next| next.kind() == "=") {
        parameter.arguments = ArgumentCount::Optional;
    }
    if walker.text_of(node).ends_with("...") {
        parameter.arguments = ArgumentCount::Any;
    }
}

fn entry<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    for name in walker.parts(node, pattern, Part::Name) {
        let mut definition = walker.new_definition(walker.text_of(name), SymbolKind::Field, node, name);
        definition.flags.is_variant = true;
        walker.define(definition, None);
    }
    walker.unknown
}

/// Adds a variable, or a property that is computed.
fn property<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let name = walker.part(node, pattern, Part::Name);
    let is_computed = walker.part(node, pattern, Part::Body).is_some() && !walker.context.is_local;
    match name {
        Some(name) if is_computed => {
            let (mut definition, decorators) = walker.header(node, pattern, name, SymbolKind::Method);
            definition.flags.is_property = true;
            walker.open_function(node, pattern, definition, &decorators);
        }
        _ => {
            let first = walker.facts.definitions().len();
            walker.variables(node, pattern);
            let is_defined = first < walker.facts.definitions().len();
            observers(walker, node, is_defined.then(|| DefId::from_index(first)));
        }
    }
    walker.unknown
}

/// Visits the bodies of `didSet` and `willSet` as code of the property before.
fn observers<'a>(walker: &mut Walker<'a>, node: Node<'a>, property: Option<DefId>) {
    let blocks = walker.children(node).into_iter().filter(|child| child.kind() == "willset_didset_block");
    let clauses: Vec<Node<'a>> = blocks.flat_map(|block| walker.children(block)).collect();
    let value_type = property.and_then(|id| walker.facts.definition(id).value_type);
    for clause in clauses {
        let parts = walker.children(clause);
        walker.in_scope(ScopeKind::Block, |walker| {
            walker.context.source = property.or(walker.context.source);
            walker.context.is_local = true;
            let named = parts.iter().find(|part| part.kind() == "simple_identifier").map(|name| walker.text_of(*name));
            let name = named.unwrap_or(if clause.kind() == "didset_clause" { "oldValue" } else { "newValue" });
            let name = walker.facts.atom(name);
            let kind = BindingKind::Local { value_type, value: None };
            walker.facts.bind(walker.context.scope, name, clause.start_byte() as u32, kind);
            let body = parts.into_iter().filter(|part| part.kind() == "statements");
            body.for_each(|statements| _ = walker.visit(statements, Role::Read));
        });
    }
}

/// Visits `if let a = b {}` and `guard let a = b else {}`, whose name is bound from there on.
fn conditional<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let visit = |walker: &mut Walker<'a>| {
        let mut bound = None;
        for (number, child) in (0_u32..).zip(walker.all_children(node)) {
            match node.field_name_for_child(number) {
                Some("bound_identifier") => bound = Some(child),
                Some("condition") if child.is_named() && child.kind() != "value_binding_pattern" => {
                    let value = walker.visit(child, Role::Read);
                    if let Some(name) = bound.take() {
                        let atom = walker.atom_of(name);
                        walker.bind_local(atom, child, None, Some(value));
                    }
                }
                _ if child.is_named() => _ = walker.visit(child, Role::Read),
                _ => {}
            }
        }
    };
    if node.kind() == "guard_statement" {
        visit(walker)
    } else {
        walker.in_scope(ScopeKind::Block, visit)
    }
    walker.unknown
}

/// Visits `return a` and `throw a`.
fn transfer<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let result = walker.field(node, "result");
    for child in walker.children(node) {
        let role = if result.is_some() { Role::Read } else { Role::Raise };
        let value = walker.visit(child, role);
        if Some(child) == result {
            walker.add_return(value);
        }
    }
    walker.unknown
}
