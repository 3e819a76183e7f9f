//! Lua's functions in tables, assignments and `require`, which no pattern can describe.

use std::collections::HashSet;

use tree_sitter::Node;

use crate::facts::{Atom, Base, BaseRelation, BindingKind, DefId, Definition, Expr, ExprId, ImportName, Role, ScopeId};
use crate::lang::common::light::rules::RETURNED;
use crate::lang::common::walker::Walker;
use crate::lang::common::{Hook, docs};
use crate::model::SymbolKind;

/// The hooks by their names in `lua.scm`.
pub const HOOKS: &[(&str, Hook)] = &[
    ("assignment", |walker, node, _| assignment(walker, node, node, false)),
    ("call", call),
    ("function", function),
    ("local", local),
    ("names", names),
    ("return", returned),
];

fn function<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let is_local = walker.has_token(node, "local");
    match walker.field(node, "name") {
        Some(name) => add_function(walker, (node, node), name, is_local),
        None => walker.visit_children(node),
    }
    walker.unknown
}

/// Adds the function at `node` to the table that its name names; `whole` is its statement.
fn add_function<'a>(walker: &mut Walker<'a>, (whole, node): (Node<'a>, Node<'a>), target: Node<'a>, is_local: bool) {
    let name = match target.kind() {
        "identifier" => return define(walker, (whole, node), target, is_local),
        "dot_index_expression" => walker.field(target, "field"),
        _ => walker.field(target, "method"),
    };
    let (Some(table), Some(name)) = (walker.field(target, "table"), name) else { return walker.visit_children(node) };
    let expr = walker.visit(table, Role::Read);
    let atom = walker.atom_of(table);
    let owner = walker.top_level.get(&atom).copied().filter(|id| !walker.facts.definition(*id).kind.is_callable());
    if let Some(owner) = owner.filter(|_| !walker.context.is_local) {
        walker.facts.definition_mut(owner).kind = SymbolKind::Type;
        return walker.in_members_of(owner, |walker| define(walker, (whole, node), name, is_local));
    }
    let names: Vec<_> = walker.text_of(table).split('.').map(|name| walker.facts.atom(name.trim())).collect();
    walker.in_extension(whole, (expr, &names), None, |walker| define(walker, (whole, node), name, is_local));
}

fn define<'a>(walker: &mut Walker<'a>, (whole, node): (Node<'a>, Node<'a>), name: Node<'a>, is_local: bool) {
    let atom = walker.atom_of(name);
    let is_local = is_local || is_forward(walker, atom);
    match walker.assigned_function(whole, node, name) {
        Some(id) if !is_local => walker.publish(id),
        _ => {}
    }
}

fn local<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    for child in walker.children(node) {
        match child.kind() {
            "assignment_statement" => _ = assignment(walker, node, child, true),
            _ => {
                let forward = forward_functions(walker, node, child);
                walker.state::<Forward>().0.extend(forward);
                _ = names(walker, child, Role::Write);
            }
        }
    }
    walker.unknown
}

/// Local names that are declared before the functions that are assigned to them, by their scopes.
#[derive(Default)]
struct Forward(HashSet<(ScopeId, Atom)>);

/// Returns those of the names of `local a, b` to which a later statement of the block assigns a function.
fn forward_functions<'a>(walker: &mut Walker<'a>, declaration: Node<'a>, list: Node<'a>) -> Vec<(ScopeId, Atom)> {
    let mut defined = Vec::new();
    let mut next = declaration.next_named_sibling();
    while let Some(statement) = next {
        match statement.kind() {
            "function_declaration" => defined.extend(walker.field(statement, "name")),
            "assignment_statement" => {
                let lists = walker.children(statement);
                let parts = lists.iter().map(|list| walker.children(*list)).collect::<Vec<_>>();
                if let [targets, values] = parts.as_slice() {
                    let is_function = |value: &Node<'a>| value.kind() == "function_definition";
                    defined.extend(
                        targets.iter().zip(values).filter(|(_, value)| is_function(value)).map(|(name, _)| *name),
                    );
                }
            }
            _ => {}
        }
        next = statement.next_named_sibling();
    }
    let scope = walker.context.scope;
    let names: Vec<&str> = defined.into_iter().map(|name| walker.text_of(name)).collect();
    let mut forward = Vec::new();
    for name in walker.children(list) {
        if names.contains(&walker.text_of(name)) {
            forward.push((scope, walker.atom_of(name)));
        }
    }
    forward
}

/// Returns whether a name was declared as local before its function.
fn is_forward(walker: &mut Walker<'_>, name: Atom) -> bool {
    let scope = walker.context.scope;
    walker.state::<Forward>().0.contains(&(scope, name))
}

/// Binds names without values: of a loop, or of a declaration.
fn names<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    for name in walker.children(node).into_iter().filter(|name| name.kind() == "identifier") {
        let atom = walker.atom_of(name);
        // A function is bound where it is assigned, for the whole block.
        if !is_forward(walker, atom) {
            walker.bind_local(atom, name, None, None);
        }
    }
    walker.unknown
}

/// Visits `a, b.c = x, y`.
fn assignment<'a>(walker: &mut Walker<'a>, whole: Node<'a>, node: Node<'a>, is_local: bool) -> ExprId {
    let lists = walker.children(node);
    let targets = lists.first().map(|list| walker.children(*list)).unwrap_or_default();
    let values = lists.get(1).map(|list| walker.children(*list)).unwrap_or_default();
    let targets = targets.into_iter().filter(|target| target.kind() != "attribute");
    for (number, target) in targets.enumerate() {
        match values.get(number).copied() {
            Some(value) if value.kind() == "function_definition" => {
                add_function(walker, (whole, value), target, is_local);
            }
            value => assign(walker, target, whole, value, is_local),
        }
    }
    walker.unknown
}

fn assign<'a>(walker: &mut Walker<'a>, target: Node<'a>, whole: Node<'a>, value: Option<Node<'a>>, is_local: bool) {
    let atom = walker.atom_of(target);
    let is_new = is_local || (!walker.context.is_local && !walker.top_level.contains_key(&atom));
    let is_import = value.is_some_and(|value| walker.text_of(value).starts_with("require"));
    if target.kind() != "identifier" || !is_new || walker.context.is_local || is_import {
        let value = value.map(|value| walker.visit(value, Role::Read));
        if !walker.context.is_local && member(walker, target, whole, value).is_some() {
            return;
        }
        match target.kind() == "identifier" && is_new {
            true => walker.bind_local(atom, whole, None, value),
            false => _ = walker.visit(target, Role::Write),
        }
        return;
    }
    let mut definition = walker.new_definition(walker.text_of(target), SymbolKind::Var, whole, target);
    let first_line = walker.text_of(whole).lines().next().unwrap_or_default();
    definition.signature = docs::single_line(first_line, &walker.dialect.lexicon);
    let id = walker.define(definition, value.map(|value| value.start_byte()));
    if !is_local {
        walker.publish(id);
    }
    let Some(value) = value else { return };
    let is_table = value.kind() == "table_constructor";
    for field in walker.children(value).into_iter().filter(|_| is_table) {
        match (walker.field(field, "name"), walker.field(field, "value")) {
            (Some(name), Some(function)) if function.kind() == "function_definition" => {
                walker.facts.definition_mut(id).kind = SymbolKind::Type;
                walker.in_members_of(id, |walker| define(walker, (field, function), name, is_local));
            }
            _ => _ = walker.visit(field, Role::Read),
        }
    }
    if !is_table {
        let value = walker.visit(value, Role::Read);
        match walker.facts.get(value) {
            // `local T = setmetatable({}, { __index = Base })`
            &Expr::Instance(base) => add_base(walker, id, base),
            _ => walker.facts.definition_mut(id).value = Some(value),
        }
    }
}

/// Adds the field that `table.name = value` declares in a table of the file, unless the table has it.
fn member<'a>(walker: &mut Walker<'a>, target: Node<'a>, whole: Node<'a>, value: Option<ExprId>) -> Option<()> {
    let name = walker.field(target, "field").filter(|_| target.kind() == "dot_index_expression")?;
    let table = walker.field(target, "table")?;
    let (table, atom) = (walker.atom_of(table), walker.atom_of(name));
    let owner = *walker.top_level.get(&table)?;
    let is_known = walker.members.contains_key(&(owner, atom)) || walker.facts.definition(owner).kind.is_callable();
    // Only names and members can be functions of elsewhere.
    let is_path =
        |value: ExprId| matches!(walker.facts.get(value), Expr::Name(_) | Expr::Member { .. } | Expr::Definition(_));
    let value = value.filter(|value| !is_known && is_path(*value))?;
    walker.facts.definition_mut(owner).kind = SymbolKind::Type;
    let mut definition = walker.new_definition(walker.text_of(name), SymbolKind::Field, whole, name);
    definition.signature = docs::single_line(walker.text_of(whole), &walker.dialect.lexicon);
    (definition.value, definition.value_scope) = (Some(value), Some(walker.context.scope));
    let mut added = None;
    walker.in_members_of(owner, |walker| {
        let definition = Definition {
            container: walker.context.container,
            parent: walker.context.parent,
            scope: walker.context.scope,
            scope_names: walker.scope_names.as_slice().into(),
            ..definition
        };
        added = Some(walker.define(definition, None));
    });
    walker.members.insert((owner, atom), added?);
    Some(())
}

fn add_base(walker: &mut Walker<'_>, id: DefId, expr: ExprId) {
    let definition = walker.facts.definition_mut(id);
    definition.kind = SymbolKind::Type;
    definition.bases.push(Base { expr, relation: BaseRelation::Extends });
}

/// Visits a call. `require "a.b"` is what the file returns, `setmetatable(x, T)` a value of `T`.
fn call<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let name = walker.field(node, "name").map_or("", |name| walker.text_of(name));
    let arguments = walker.field(node, "arguments").map(|list| walker.children(list)).unwrap_or_default();
    match (name, arguments.as_slice()) {
        ("require", &[path]) if path.kind() == "string" => {
            let path_text = walker.text_of(path).trim_matches(['"', '\'', '[', ']']);
            let hidden = walker.facts.atom(&format!("require {path_text}"));
            walker.import(path, &[path_text], ImportName::Module, &[hidden]);
            walker.facts.expr(Expr::Name(hidden))
        }
        ("setmetatable", &[value, meta]) => {
            let result = walker.call(node, pattern);
            let index = (walker.children(meta).into_iter())
                .find(|field| walker.field(*field, "name").is_some_and(|name| walker.text_of(name) == "__index"));
            let Some(base) = (match meta.kind() {
                "identifier" => Some(meta),
                _ => index.and_then(|field| walker.field(field, "value")),
            }) else {
                return result;
            };
            let (atom, expr) = (walker.atom_of(value), walker.visit(base, Role::Read));
            match walker.top_level.get(&atom) {
                Some(&id) => {
                    add_base(walker, id, expr);
                    walker.facts.expr(Expr::Definition(id))
                }
                None => walker.instance(expr),
            }
        }
        _ => walker.call(node, pattern),
    }
}

/// Visits `return x`; what a file returns is what `require` of it denotes.
fn returned<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let values = walker.children(node).first().map(|list| walker.children(*list)).unwrap_or_default();
    let Some((&value, others)) = values.split_first() else { return walker.unknown };
    if walker.context.is_local {
        let value = walker.visit(value, Role::Read);
        others.iter().for_each(|other| _ = walker.visit(*other, Role::Read));
        walker.add_return(value);
    } else {
        let expr = exported(walker, value);
        let name = walker.facts.atom(RETURNED);
        walker.facts.bind(ScopeId(0), name, node.start_byte() as u32, BindingKind::Alias(expr));
    }
    walker.unknown
}

/// Returns a value as other files see it, to whom local names mean nothing.
fn exported<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> ExprId {
    let value = walker.visit(node, Role::Read);
    let atom = walker.atom_of(node);
    if let Some(&id) = walker.top_level.get(&atom) {
        return walker.facts.expr(Expr::Definition(id));
    }
    let mut members = Vec::new();
    for field in walker.children(node).into_iter().filter(|field| field.kind() == "field") {
        if let (Some(name), Some(value)) = (walker.field(field, "name"), walker.field(field, "value")) {
            let name = walker.atom_of(name);
            let value = walker.descend(walker.unknown, |walker| exported(walker, value));
            members.push((name, value));
        }
    }
    if members.is_empty() { value } else { walker.facts.expr(Expr::Object(members)) }
}
