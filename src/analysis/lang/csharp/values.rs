//! C#'s values and patterns that no pattern file can describe: creation of objects, tuples, queries.

use tree_sitter::Node;

use crate::facts::{Expr, ExprId, Role};
use crate::lang::common::patterns::Part;
use crate::lang::common::walker::{Call, Walker};

/// Visits `new T(…) {…}`.
pub fn creation<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let value = walker.instantiation(node, pattern, role);
    if let Some(list) = walker.field(node, "initializer") {
        initializer(walker, list, value);
    }
    value
}

/// Visits `new(…) {…}`, whose type is the declared one of the variable that it initializes.
pub fn implicit_creation<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let owner = node.parent().map(|parent| match parent.kind() {
        "variable_declarator" => parent.parent().unwrap_or(parent),
        _ => parent,
    });
    let known = match owner.and_then(|owner| walker.field(owner, "type")) {
        Some(known) => walker.type_expr(known, Some(Role::Call)),
        None => walker.unknown,
    };
    let nodes = walker.argument_nodes(node, pattern);
    walker.arguments(known, &nodes);
    let value = walker.instance(known);
    for list in walker.children(node).into_iter().filter(|child| child.kind() == "initializer_expression") {
        initializer(walker, list, value);
    }
    value
}

/// Visits the initializers of an object: `{ Name = value }` sets a member of it.
fn initializer<'a>(walker: &mut Walker<'a>, list: Node<'a>, object: ExprId) {
    walker.descend((), |walker| {
        for child in walker.children(list) {
            let left = walker.field(child, "left").filter(|left| left.kind() == "identifier");
            let (true, Some(left)) = (child.kind() == "assignment_expression", left) else {
                walker.visit(child, Role::Read);
                continue;
            };
            let name = walker.atom_of(left);
            let member = walker.facts.expr(Expr::Member { base: object, name });
            walker.refer(member, left, Role::Write);
            match walker.field(child, "right") {
                Some(right) if right.kind() == "initializer_expression" => initializer(walker, right, member),
                Some(right) => _ = walker.visit(right, Role::Read),
                None => {}
            }
        }
    });
}

/// Visits `x with { Name = value }`.
pub fn with<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let children = walker.children(node);
    let Some((&object, initializers)) = children.split_first() else { return walker.unknown };
    let value = walker.visit(object, Role::Read);
    for one in initializers {
        for part in walker.children(*one) {
            if part.kind() == "identifier" && part.prev_named_sibling().is_none() {
                let name = walker.atom_of(part);
                let member = walker.facts.expr(Expr::Member { base: value, name });
                walker.refer(member, part, Role::Write);
            } else {
                walker.visit(part, Role::Read);
            }
        }
    }
    value
}

/// Visits the values of `new { Name = value }`.
pub fn anonymous_object<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let children = walker.all_children(node);
    for (index, child) in children.iter().enumerate() {
        let is_name = children.get(index + 1).is_some_and(|next| next.kind() == "=");
        if child.is_named() && !is_name {
            walker.visit(*child, Role::Read);
        }
    }
    walker.unknown
}

/// Visits `new T[n] {…}`.
pub fn array<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let mut known = walker.unknown;
    for child in walker.children(node) {
        if Some(child) == walker.field(node, "type") {
            known = walker.type_expr(child, Some(Role::Type));
        } else {
            walker.visit(child, Role::Read);
        }
    }
    walker.instance(known)
}

/// Visits `a[i]`, which runs the indexer of a type.
pub fn subscript<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let children = walker.children(node);
    let Some((&object, lists)) = children.split_first() else { return walker.unknown };
    let value = walker.visit(object, Role::Read);
    let arguments: Vec<Node<'a>> = lists.iter().flat_map(|list| walker.children(*list)).collect();
    let args: Vec<ExprId> = arguments.into_iter().map(|argument| walker.visit(argument, Role::Read)).collect();
    walker.implied_call(value, &["this[]"], &args, node);
    if value == walker.unknown { value } else { walker.facts.expr(Expr::Index(value)) }
}

/// Visits `from x in values select y`, a sequence of what it selects.
pub fn query<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    // Its variables stay in the scope around it, where the value that it selects is evaluated.
    let mut selected = walker.unknown;
    for child in walker.children(node) {
        let value = walker.visit(child, Role::Read);
        if child.kind() == "select_clause" {
            selected = value;
        }
    }
    if selected == walker.unknown { selected } else { walker.facts.builtin("IEnumerable", vec![selected]) }
}

/// Visits `await x`.
pub fn awaited<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let value = last(walker, node, Role::Read);
    walker.facts.expr(Expr::Unwrap(value))
}

/// Visits `a + b`, comparisons, and `a ?? b`, which has one of two values.
pub fn binary<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let operator = walker.field(node, "operator").map_or("", |operator| operator.kind());
    let sides = [walker.field(node, "left"), walker.field(node, "right")];
    let values: Vec<ExprId> = sides.into_iter().flatten().map(|side| walker.visit(side, Role::Read)).collect();
    if let (&[left, right], false) = (values.as_slice(), matches!(operator, "??" | "&&" | "||")) {
        walker.implied_call(left, &[&format!("operator {operator}")], &[left, right], node);
    }
    match operator {
        "??" => walker.union(values),
        "==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||" => walker.facts.builtin("bool", Vec::new()),
        "<<" | ">>" | ">>>" => walker.arithmetic(&values[..values.len().min(1)]),
        _ => walker.arithmetic(&values),
    }
}

/// Visits `x is T`.
pub fn is_type<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    if let Some(left) = walker.field(node, "left") {
        walker.visit(left, Role::Read);
    }
    if let Some(right) = walker.field(node, "right") {
        walker.type_expr(right, Some(Role::Type));
    }
    walker.facts.builtin("bool", Vec::new())
}

/// Visits `typeof(T)` and `sizeof(T)`.
pub fn type_of<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    if let Some(known) = walker.field(node, "type") {
        walker.type_expr(known, Some(Role::Type));
    }
    walker.facts.builtin("Type", Vec::new())
}

/// Visits a keyword for a type in front of a member: `string.Join`.
pub fn predefined<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let text = walker.text_of(node);
    walker.facts.builtin(text, Vec::new())
}

/// Binds the variables of `out var name`, which have the types of the parameters.
pub fn out_variables<'a>(walker: &mut Walker<'a>, call: &Call<'a>) {
    for (argument, node) in (0_u16..).zip(&call.arguments) {
        let known = walker.field(*node, "type").filter(|_| node.kind() == "declaration_expression");
        if known.is_none_or(|known| known.kind() != "implicit_type") {
            continue;
        }
        if let Some(name) = walker.field(*node, "name") {
            let whole = walker.facts.expr(Expr::Call { callee: call.callee, args: call.values.clone() });
            let value = walker.facts.expr(Expr::ArgumentOf { call: whole, argument });
            let name = walker.atom_of(name);
            walker.bind_local(name, call.node, None, Some(value));
        }
    }
}

/// Visits the last child of a node.
pub fn last<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    match walker.children(node).last() {
        Some(&child) => walker.visit(child, role),
        None => walker.unknown,
    }
}

/// Visits what is thrown.
pub fn throw<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    last(walker, node, Role::Raise);
    walker.unknown
}

/// Visits `(a, b)`.
pub fn tuple<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    let parts = walker.children(node).into_iter().map(|part| walker.visit(part, role)).collect();
    walker.facts.expr(Expr::Tuple(parts))
}

/// Visits `(A a, B b)`, whose parts can have names.
pub fn tuple_type<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let (mut parts, mut members) = (Vec::new(), Vec::new());
    for element in walker.children(node) {
        let Some(known) = walker.field(element, "type") else { continue };
        let known = walker.type_expr(known, Some(Role::Type));
        parts.push(known);
        if let Some(name) = walker.field(element, "name") {
            members.push((walker.atom_of(name), known));
        }
    }
    let has_names = !parts.is_empty() && members.len() == parts.len();
    walker.facts.expr(if has_names { Expr::Object(members) } else { Expr::Tuple(parts) })
}

/// Visits a switch expression. Returns one of the values of its arms.
pub fn switch<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let mut values = Vec::new();
    for child in walker.children(node) {
        let value = walker.visit(child, Role::Read);
        if child.kind() == "switch_expression_arm" {
            values.push(value);
        }
    }
    walker.union(values)
}

/// Binds the names of `var (a, b) = value`, which are parts of the value, and of `var a` in patterns.
pub fn designation<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let around = node.parent();
    let parted = around.and_then(|around| match around.kind() {
        "variable_declarator" => walker.children(around).pop().filter(|value| *value != node),
        "foreach_statement" => walker.field(around, "right"),
        _ => None,
    });
    let value = parted.map(|parted| {
        let value = walker.replay(|walker| walker.visit(parted, Role::Read));
        let is_loop = around.is_some_and(|around| around.kind() == "foreach_statement");
        if is_loop { walker.facts.expr(Expr::Element(value)) } else { value }
    });
    bind_designated(walker, node, value);
    walker.unknown
}

fn bind_designated<'a>(walker: &mut Walker<'a>, node: Node<'a>, value: Option<ExprId>) {
    walker.descend((), |walker| {
        for (number, child) in (0..=u16::MAX).zip(walker.children(node)) {
            let part = value.map(|value| walker.facts.expr(Expr::Item(value, number)));
            if child.kind() == "identifier" {
                let name = walker.atom_of(child);
                walker.bind_local(name, child, None, part);
            } else {
                bind_designated(walker, child, part);
            }
        }
    });
}

/// Visits `T { Member: pattern } name`.
pub fn recursive_pattern<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let known = walker.field(node, "type").map(|known| walker.type_expr(known, Some(Role::Type)));
    let name = walker.field(node, "name");
    for child in walker.children(node) {
        if Some(child) != walker.field(node, "type") && Some(child) != name {
            walker.visit_children(child);
        }
    }
    if let Some(name) = name {
        let atom = walker.atom_of(name);
        walker.bind_local(atom, name, known, None);
    }
    walker.unknown
}

/// Binds the variable of `from x in values`.
pub fn from<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let values = walker.part(node, pattern, Part::Right).map(|values| walker.visit(values, Role::Read));
    let known = walker.field(node, "type").map(|known| walker.type_expr(known, Some(Role::Type)));
    if let (Some(name), Some(values)) = (walker.field(node, "name"), values) {
        let element = walker.facts.expr(Expr::Element(values));
        let atom = walker.atom_of(name);
        walker.bind_local(atom, name, known, Some(element));
    }
    walker.unknown
}

/// Binds the variable of `let x = value`.
pub fn let_clause<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    if let &[name, value] = walker.children(node).as_slice() {
        let value = walker.visit(value, Role::Read);
        let atom = walker.atom_of(name);
        walker.bind_local(atom, node, None, Some(value));
    }
    walker.unknown
}

/// Binds the variable of `join x in values on a equals b`.
pub fn join<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let known = walker.field(node, "type");
    let children: Vec<Node<'a>> = walker.children(node).into_iter().filter(|child| Some(*child) != known).collect();
    if let [name, values, rest @ ..] = children.as_slice() {
        let values = walker.visit(*values, Role::Read);
        let element = walker.facts.expr(Expr::Element(values));
        let atom = walker.atom_of(*name);
        walker.bind_local(atom, *name, None, Some(element));
        rest.iter().for_each(|part| _ = walker.visit(*part, Role::Read));
    }
    walker.unknown
}
