//! Assignments: to module variables, class attributes, attributes of `self`, and locals.

use tree_sitter::Node;

use super::definitions::lambda_definition;
use super::state::{
    MODULE_SCOPE, OuterBinding, State, bind, define, enclosing_class, first_child, frame, is_none, last_name,
    new_definition,
};
use super::type_aliases::type_assignment;
use super::values::OPERATORS;
use super::{docs, is_constant};
use crate::facts::{BindingKind, Container, DefId, Expr, ExprId, Role, ScopeId};
use crate::lang::common::patterns::Part;
use crate::lang::common::walker::{Context, Walker};
use crate::model::SymbolKind;

/// The value and the declared type of an assignment.
#[derive(Debug, Clone, Copy)]
struct AssignedValue {
    value: Option<ExprId>,
    value_type: Option<ExprId>,
}

/// Visits an assignment: `a = b = value`, `a: T = value`, `a: T`.
pub fn assignment<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let mut targets = Vec::new();
    let mut right = Some(node);
    while let Some(inner) = right.filter(|inner| inner.kind() == "assignment") {
        targets.extend(walker.part_of(inner, Part::Left));
        right = walker.part_of(inner, Part::Right);
    }
    let is_definition = enclosing_class(walker).is_some() || !walker.context.is_local;
    let declared = walker.part_of(node, Part::Type);
    if let (&[target, ..], Some(value)) = (targets.as_slice(), right)
        && target.kind() == "identifier"
    {
        if value.kind() == "lambda" && targets.len() == 1 {
            lambda_definition(walker, target, value, node);
            return walker.unknown;
        }
        if is_definition && type_assignment(walker, node, target, declared, value) {
            return walker.unknown;
        }
        // `Point = dataclass(Point)` still means the class.
        if is_definition && enclosing_class(walker).is_none() && wraps_itself(walker, target, value) {
            walker.visit(value, Role::Read);
            return walker.unknown;
        }
    }
    let value_type = declared.map(|declared| walker.type_expr(declared, Some(Role::Type))).filter(|_| {
        // With bare `Final` and `ClassVar`, and with `Any`, the value determines the type.
        let name = declared.map_or("", |declared| last_name(walker, declared));
        let is_applied = declared.is_some_and(|declared| {
            first_child(walker, declared).is_some_and(|inner| matches!(inner.kind(), "subscript" | "generic_type"))
        });
        is_applied || !matches!(name, "Final" | "ClassVar" | "Any" | "TypeAlias")
    });
    // The words of the value belong to the variable if it is a single one, else to the enclosing definition.
    let single = match targets.as_slice() {
        &[target] if is_definition && target.kind() == "identifier" => declare_variable(walker, target, node, right),
        _ => None,
    };
    let outer = walker.context.parent;
    walker.context.parent = single.or(outer);
    let value = right.map(|right| walker.visit(right, Role::Read));
    walker.context.parent = outer;
    let assigned = AssignedValue { value, value_type };
    match single {
        Some(id) => record_assignment(walker, id, assigned, None),
        None => targets.into_iter().for_each(|target| assign_to(walker, target, assigned, node)),
    }
    walker.unknown
}

/// Visits `a += value`.
pub fn augmented_assignment<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let (left, right) = (walker.part_of(node, Part::Left), walker.part_of(node, Part::Right));
    let value = right.map_or(walker.unknown, |right| walker.visit(right, Role::Read));
    let Some(left) = left else { return walker.unknown };
    let operator = walker.field(node, "operator").map_or("", |operator| operator.kind().trim_end_matches('='));
    let method = OPERATORS.iter().find(|(known, _)| *known == operator).map_or("", |(_, method)| *method);
    let methods = [format!("__i{method}__"), format!("__{method}__")];
    let methods = [methods[0].as_str(), methods[1].as_str()];
    if left.kind() != "identifier" {
        // The target keeps its type.
        read_target(walker, left);
        let previous = walker.replay(|walker| walker.visit(left, Role::Read));
        if let (Some(name), Expr::Member { .. }) = (walker.part_of(left, Part::Name), walker.facts.get(previous)) {
            walker.refer(previous, name, Role::Read);
        }
        walker.implied_call(previous, &methods, &[value], left);
        return walker.unknown;
    }
    let previous = walker.visit(left, Role::Read);
    walker.implied_call(previous, &methods, &[value], left);
    let name = walker.atom_of(left);
    let is_new = walker.flow.locals.get(name).is_none() && frame(walker).outer_binding(name).is_none();
    if walker.context.is_local && is_new {
        let union = walker.union(vec![previous, value]);
        assign(walker, left, union);
    }
    walker.unknown
}

/// Assigns a value to a target of any form.
pub fn assign<'a>(walker: &mut Walker<'a>, target: Node<'a>, value: ExprId) {
    assign_to(walker, target, AssignedValue { value: Some(value), value_type: None }, target);
}

/// Assigns to a target of any form; `statement` is the node of a definition that this adds.
fn assign_to<'a>(walker: &mut Walker<'a>, target: Node<'a>, assigned: AssignedValue, statement: Node<'a>) {
    match target.kind() {
        "identifier" => assign_name(walker, target, assigned, statement),
        "pattern_list" | "tuple_pattern" | "list_pattern" | "tuple" | "list" | "expression_list" => {
            let value = assigned.value.unwrap_or(walker.unknown);
            let mut is_after_rest = false;
            for (index, part) in walker.children(target).into_iter().enumerate() {
                let is_rest = part.kind() == "list_splat_pattern";
                is_after_rest |= is_rest;
                let item = if is_after_rest { element(walker, value, is_rest) } else { item(walker, value, index) };
                assign_to(walker, part, AssignedValue { value: Some(item), value_type: None }, statement);
            }
        }
        "list_splat_pattern" | "parenthesized_expression" | "as_pattern_target" => {
            if let Some(inner) = first_child(walker, target) {
                assign_to(walker, inner, assigned, statement);
            }
        }
        "attribute" => assign_attribute(walker, target, assigned, statement),
        _ => read_target(walker, target),
    }
}

/// Visits a target that binds no name.
fn read_target<'a>(walker: &mut Walker<'a>, target: Node<'a>) {
    match target.kind() {
        "attribute" | "subscript" => _ = walker.visit(target, Role::Write),
        _ => walker.visit_children(target),
    }
}

/// Adds an element of an unpacked value, or a list of some.
fn element(walker: &mut Walker<'_>, value: ExprId, is_list: bool) -> ExprId {
    if matches!(walker.facts.get(value), Expr::Unknown) {
        return walker.unknown;
    }
    let element = walker.facts.expr(Expr::Element(value));
    if is_list { walker.facts.builtin("list", vec![element]) } else { element }
}

/// Adds the `index`-th item of an unpacked value.
pub fn item(walker: &mut Walker<'_>, value: ExprId, index: usize) -> ExprId {
    match walker.facts.get(value) {
        Expr::Unknown => walker.unknown,
        Expr::Tuple(parts) => parts.get(index).copied().unwrap_or(walker.unknown),
        _ => walker.facts.expr(Expr::Item(value, index.min(u16::MAX as usize) as u16)),
    }
}

/// Returns whether a name is given the value of a call to which what the module defines under the name is passed.
fn wraps_itself<'a>(walker: &Walker<'a>, target: Node<'a>, value: Node<'a>) -> bool {
    let name = walker.text_of(target);
    let text = walker.text_of(value);
    let mut words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    value.kind() == "call"
        && words.any(|word| word == name)
        && walker.facts.definitions().iter().any(|definition| {
            definition.container == Container::Module
                && (definition.kind.is_type() || definition.kind.is_callable())
                && !definition.flags.is_local
                && walker.facts.text(definition.name) == name
        })
}

/// Assigns to a name: a module or class variable, a global, or a local.
fn assign_name<'a>(walker: &mut Walker<'a>, target: Node<'a>, assigned: AssignedValue, statement: Node<'a>) {
    let name = walker.atom_of(target);
    let is_plain = statement.kind() == "assignment";
    if enclosing_class(walker).is_some() || (!walker.context.is_local && is_plain) {
        if let Some(id) = declare_variable(walker, target, statement, None) {
            record_assignment(walker, id, assigned, None);
        }
        return;
    }
    match frame(walker).outer_binding(name) {
        Some(OuterBinding::Nonlocal) => return,
        Some(OuterBinding::Global) => {
            let outer = walker.context;
            walker.context = Context { scope: MODULE_SCOPE, source: None, parent: None, is_local: false, ..outer };
            let names = std::mem::take(&mut walker.scope_names);
            let defined = declare_variable(walker, target, statement, None);
            (walker.scope_names, walker.context) = (names, outer);
            if let Some(id) = defined {
                record_assignment(walker, id, assigned, Some(outer.scope));
            }
            return;
        }
        None => {}
    }
    let AssignedValue { value, value_type } = assigned;
    if !walker.is_replay {
        bind(walker, walker.context.scope, name, target.start_byte(), BindingKind::Local { value_type, value });
    }
    if let Some(value_type) = value_type {
        let instance = walker.facts.expr(Expr::Instance(value_type));
        frame(walker).declared.push((name, instance));
    }
    // An instance narrows the annotation of a name, other values don't.
    let local = match (frame(walker).declared(name), value) {
        (Some(_), Some(value)) if matches!(walker.facts.get(value), Expr::Instance(_)) => value,
        (Some(declared), _) => declared,
        (None, value) => value.unwrap_or(walker.unknown),
    };
    if walker.context.is_local {
        walker.flow.locals.set(name, local);
    } else {
        walker.flow.locals.forget(name);
    }
}

/// Visits an assignment to an attribute. An attribute of `self` is a field of the class.
fn assign_attribute<'a>(walker: &mut Walker<'a>, target: Node<'a>, assigned: AssignedValue, statement: Node<'a>) {
    let expr = walker.visit(target, Role::Write);
    if !frame(walker).narrowed_paths.is_empty() {
        let path = walker.atom_of(target);
        walker.flow.locals.forget(path);
    }
    let Expr::Member { base, name } = *walker.facts.get(expr) else { return };
    let is_own = matches!(walker.facts.get(base), Expr::Receiver | Expr::ReceiverType) && !walker.is_replay;
    let Some(class) = frame(walker).class.filter(|_| is_own) else { return };
    if walker.state::<State>().methods.contains(&(class, name)) {
        return;
    }
    let scope = Some(walker.context.scope);
    if let Some(&member) = walker.members.get(&(class, name)) {
        record_assignment(walker, member, assigned, scope);
        return;
    }
    let Some(name_node) = walker.part_of(target, Part::Name) else { return };
    let mut definition = new_definition(walker, name_node, SymbolKind::Field, statement);
    let owner = walker.facts.definition(class);
    definition.scope_names = owner.scope_names.iter().copied().chain([owner.name]).collect();
    definition.flags.is_local = owner.flags.is_local;
    definition.container = Container::Definition(class);
    definition.parent = Some(class);
    definition.signature = docs::variable_signature(walker.text_of(statement));
    definition.doc = docs::variable_doc(walker, statement);
    let id = walker.facts.define(definition, String::new());
    walker.members.insert((class, name), id);
    record_assignment(walker, id, assigned, scope);
}

/// Returns the definition of a module or class variable, which is added if it is new. `None` if the name is a
/// method, or an import that is set to `None`.
fn declare_variable<'a>(
    walker: &mut Walker<'a>,
    target: Node<'a>,
    statement: Node<'a>,
    value: Option<Node<'a>>,
) -> Option<DefId> {
    let name = walker.atom_of(target);
    let class = enclosing_class(walker);
    if let Some(class) = class {
        if walker.state::<State>().methods.contains(&(class, name)) {
            return None;
        }
        if let Some(&member) = walker.members.get(&(class, name)) {
            return Some(member);
        }
    } else {
        walker.flow.locals.forget(name);
        let state = walker.state::<State>();
        if let Some(&variable) = state.variables.get(&name) {
            return Some(variable);
        }
        if state.imported.contains(&name) && value.is_some_and(|value| value.kind() == "none") {
            return None;
        }
    }
    let kind = match class {
        Some(_) => SymbolKind::Field,
        None if is_constant(walker.text_of(target)) => SymbolKind::Const,
        None => SymbolKind::Var,
    };
    let mut definition = new_definition(walker, target, kind, statement);
    definition.signature = docs::variable_signature(walker.text_of(statement));
    definition.doc = docs::variable_doc(walker, statement);
    let id = define(walker, definition, target);
    match class {
        Some(class) => walker.members.insert((class, name), id),
        None => walker.state::<State>().variables.insert(name, id),
    };
    Some(id)
}

/// Adds the type and value of an assignment to a variable's definition. A declared type wins; else values assigned
/// in the same scope are united, without those of unknown type and `None`.
fn record_assignment(walker: &mut Walker<'_>, id: DefId, assigned: AssignedValue, scope: Option<ScopeId>) {
    let definition = walker.facts.definition(id);
    if definition.value_type.is_some() {
        return;
    }
    let previous = definition.value;
    let is_same_scope = definition.value_scope == scope;
    if assigned.value_type.is_some() {
        let definition = walker.facts.definition_mut(id);
        definition.value_type = assigned.value_type;
        definition.scope = scope.unwrap_or(definition.scope);
    }
    let Some(value) = assigned.value else { return };
    let is_uninformative =
        |walker: &Walker<'_>, expr: ExprId| matches!(walker.facts.get(expr), Expr::Unknown) || is_none(walker, expr);
    let value = match previous {
        Some(previous) if !is_uninformative(walker, previous) => {
            if !is_same_scope || is_uninformative(walker, value) {
                return;
            }
            walker.union(vec![previous, value])
        }
        _ => value,
    };
    let definition = walker.facts.definition_mut(id);
    definition.value = Some(value);
    definition.value_scope = scope;
}
