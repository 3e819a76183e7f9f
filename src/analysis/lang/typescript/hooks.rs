//! The hooks by their names in `typescript.scm`.

use tree_sitter::Node;

use super::state::Ts;
use crate::facts::{Expr, ExprId, Role};
use crate::lang::common::Hook;
use crate::lang::common::walker::Expected;
use crate::lang::common::walker::Walker;

/// Returns the hook of a method that takes the node.
macro_rules! of_node {
    ($method:ident) => {
        |walker, node, _| on(walker, |ts, _| ts.$method(node))
    };
}

/// Returns the hook of a method without a value.
macro_rules! statement {
    ($method:ident) => {
        |walker, node, _| {
            on(walker, |ts, _| {
                ts.$method(node);
                ts.unknown
            })
        }
    };
}

/// Returns the hook of a method that takes the node and the contextual type.
macro_rules! expected {
    ($method:ident) => {
        |walker, node, _| on(walker, |ts, expected| ts.$method(node, expected))
    };
}

/// Returns the hook of a method that takes the node and its role.
macro_rules! role {
    ($method:ident) => {
        |walker, node, role| on(walker, |ts, _| ts.$method(node, role))
    };
}

/// Each hook with its name.
pub const HOOKS: &[(&str, Hook)] = &[
    ("ambient", statement!(ambient)),
    ("array", expected!(array)),
    ("assertion", of_node!(assertion)),
    ("assignment", of_node!(assignment)),
    ("augmented", of_node!(augmented)),
    ("binary", expected!(binary)),
    ("block", statement!(block)),
    ("call", expected!(call)),
    ("cast", expected!(cast)),
    ("catch", statement!(catch)),
    ("class", of_node!(class_expression)),
    ("conditional", of_node!(conditional_type)),
    ("constructor", of_node!(constructor_type)),
    ("declaration", declaration),
    ("decorator", statement!(decorator)),
    ("export", statement!(export)),
    ("for", statement!(for_in)),
    ("function", of_node!(function_type)),
    ("if", statement!(if_statement)),
    ("import", import),
    ("import_alias", statement!(import_alias)),
    ("infer", of_node!(infer_type)),
    ("instantiation", role!(instantiation)),
    ("jsx", of_node!(jsx)),
    ("keys", of_node!(keys_type)),
    ("lambda", expected!(lambda)),
    ("literal", of_node!(literal_type)),
    ("lookup", of_node!(lookup_type)),
    ("member", role!(member_access)),
    ("name", role!(identifier)),
    ("new", of_node!(new_expression)),
    ("non_null", non_null),
    ("object", object),
    ("predefined", of_node!(predefined_type)),
    ("predicate", of_node!(type_predicate)),
    ("qualified", of_node!(qualified_type)),
    ("query", of_node!(type_query)),
    ("rest", of_node!(rest_type)),
    ("return", statement!(return_statement)),
    ("sequence", role!(sequence_expression)),
    ("statement", statement!(expression_statement)),
    ("string", of_node!(string_literal)),
    ("subscript", of_node!(subscript)),
    ("template", of_node!(template)),
    ("ternary", expected!(ternary)),
    ("this", this),
    ("throw", statement!(throw)),
    ("tuple_part", of_node!(tuple_part)),
    ("unary", of_node!(unary)),
    ("update", of_node!(update)),
];

/// Runs a hook with the contextual type of its node.
fn on<'a>(walker: &mut Walker<'a>, hook: impl FnOnce(&mut Ts<'_, 'a>, Expected) -> ExprId) -> ExprId {
    let expected = std::mem::take(&mut walker.expected);
    hook(&mut Ts::new(walker), expected)
}

/// Visits `import …`, or `import('…')` in a type.
fn import<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let mut ts = Ts::new(walker);
    if node.kind() == "call_expression" {
        return ts.inline_import_type(node);
    }
    ts.import(node);
    ts.unknown
}

/// Visits a declaration.
fn declaration<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    Ts::new(walker).declaration(node, node);
    walker.unknown
}

/// Visits `value!`.
fn non_null<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    on(walker, |ts, expected| ts.non_null(node, role, expected))
}

/// Visits an object literal or an object type.
fn object<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    on(walker, |ts, expected| match node.kind() {
        "object_type" => ts.object_type(node),
        _ => ts.object_literal(node, expected, None),
    })
}

/// Visits `this` as a value or as a type.
fn this<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    match (node.kind(), role) {
        ("this_type", _) | (_, Role::Type) => walker.facts.expr(Expr::ReceiverType),
        _ => walker.context.this,
    }
}
