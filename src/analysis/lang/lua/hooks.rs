//! Lua's functions in tables, assignments and `require`, which no pattern can describe.

use std::collections::HashMap;

use tree_sitter::Node;

use crate::facts::{
    Atom, Base, BaseRelation, BindingKind, Container, DefId, Definition, Expr, ExprId, ImportName, Role, ScopeId,
    ScopeKind,
};
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
    // `local f do function f() end end`: the name is that of the outer block.
    let is_plain = walker.context.container == Container::Module && !is_local;
    let declared = if is_plain { declaration(walker, atom) } else { None };
    let Some(id) = walker.assigned_function(whole, node, name) else { return };
    match declared {
        Some((scope, position)) => {
            let definition = walker.facts.definition_mut(id);
            definition.flags.is_conditional = true;
            definition.signature.insert_str(0, "local ");
            walker.facts.bind(scope, atom, position + 1, BindingKind::Definition(id));
        }
        None if !is_local => walker.publish(id),
        None => {}
    }
}

fn local<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    for child in walker.children(node) {
        match child.kind() {
            "assignment_statement" => _ = assignment(walker, node, child, true),
            _ => {
                _ = names(walker, child, Role::Write);
                let scope = walker.context.scope;
                for name in walker.children(child).into_iter().filter(|name| name.kind() == "identifier") {
                    let atom = walker.atom_of(name);
                    walker.state::<State>().declared.insert((scope, atom), name.end_byte() as u32);
                }
            }
        }
    }
    walker.unknown
}

/// The memory of the hooks in a file.
#[derive(Default)]
struct State {
    /// The positions of the local names that are declared without a value, by their scopes.
    declared: HashMap<(ScopeId, Atom), u32>,
    /// The tables in which the tables of these names look up what they do not have: their `__index`.
    indexes: HashMap<Atom, Atom>,
}

/// Returns the innermost scope around that declares a local name without a value, and the position there.
fn declaration(walker: &mut Walker<'_>, name: Atom) -> Option<(ScopeId, u32)> {
    let mut at = Some(walker.context.scope);
    while let Some(scope) = at {
        if let Some(position) = walker.state::<State>().declared.get(&(scope, name)) {
            return Some((scope, *position));
        }
        at = walker.facts.get_scope(scope).parent;
    }
    None
}

/// Binds names without values: of a loop, or of a declaration.
fn names<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    for name in walker.children(node).into_iter().filter(|name| name.kind() == "identifier") {
        let atom = walker.atom_of(name);
        walker.bind_local(atom, name, None, None);
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
    note_index(walker, target, value);
    let is_new = is_local || (!walker.context.is_local && !walker.top_level.contains_key(&atom));
    let is_import = value.is_some_and(|value| walker.text_of(value).starts_with("require"));
    if target.kind() != "identifier" || !is_new || walker.context.is_local || is_import {
        let value = value.map(|value| walker.visit(value, Role::Read));
        if !walker.context.is_local && member(walker, target, whole, value).is_some() {
            return;
        }
        match value.filter(|value| is_member_of_import(walker, *value)) {
            _ if target.kind() != "identifier" || !is_new => _ = walker.visit(target, Role::Write),
            Some(member) => {
                walker.facts.bind(walker.context.scope, atom, whole.end_byte() as u32, BindingKind::Alias(member));
            }
            None => walker.bind_local(atom, whole, None, value),
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

/// Returns whether a value is `require("a.b").c`.
fn is_member_of_import(walker: &Walker<'_>, value: ExprId) -> bool {
    let Expr::Member { base, .. } = walker.facts.get(value) else { return false };
    matches!(walker.facts.get(*base), Expr::Name(name) if walker.facts.text(*name).starts_with(REQUIRED))
}

/// The beginning of the names of imports, which no name of the code has.
const REQUIRED: &str = "require ";

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

/// Returns the `__index` in the literal of a table.
fn index_field<'a>(walker: &mut Walker<'a>, table: Node<'a>) -> Option<Node<'a>> {
    let is_index = |walker: &Walker<'a>, field: Node<'a>| {
        field.child_by_field_name("name").is_some_and(|name| walker.text_of(name) == "__index")
    };
    let field = walker.children(table).into_iter().find(|field| is_index(walker, *field))?;
    walker.field(field, "value")
}

/// Notes the table in which another one looks up what it does not have: `mt = { __index = M }`, `mt.__index = M`.
fn note_index<'a>(walker: &mut Walker<'a>, target: Node<'a>, value: Option<Node<'a>>) {
    let Some(value) = value else { return };
    let (table, index) = match target.kind() {
        "identifier" if value.kind() == "table_constructor" => (Some(target), index_field(walker, value)),
        "dot_index_expression" if walker.text_of(target).ends_with(".__index") => {
            (walker.field(target, "table"), Some(value))
        }
        _ => return,
    };
    if let (Some(table), Some(index)) = (table, index.filter(|index| index.kind() == "identifier")) {
        let (table, index) = (walker.atom_of(table), walker.atom_of(index));
        walker.state::<State>().indexes.insert(table, index);
    }
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
            let hidden = walker.facts.atom(&format!("{REQUIRED}{path_text}"));
            walker.import(path, &[path_text], ImportName::Module, &[hidden]);
            walker.facts.expr(Expr::Name(hidden))
        }
        ("setmetatable", &[value, meta]) => {
            let result = walker.call(node, pattern);
            let base = if meta.kind() == "identifier" { Some(meta) } else { index_field(walker, meta) };
            let Some(base) = base else { return result };
            let known = walker.atom_of(meta);
            let index = walker.state::<State>().indexes.get(&known).copied();
            let base = match index {
                Some(table) => walker.facts.expr(Expr::Name(table)),
                None => walker.visit(base, Role::Read),
            };
            let (atom, expr) = (walker.atom_of(value), base);
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
    if node.kind() == "table_constructor" {
        return exported_table(walker, node);
    }
    let value = walker.visit(node, Role::Read);
    let atom = walker.atom_of(node);
    walker.top_level.get(&atom).copied().map_or(value, |id| walker.facts.expr(Expr::Definition(id)))
}

/// Returns a table as other files see it. Its functions are definitions, whose names mean nothing in the file.
fn exported_table<'a>(walker: &mut Walker<'a>, table: Node<'a>) -> ExprId {
    let mut members = Vec::new();
    for field in walker.children(table) {
        let parts = (walker.field(field, "name"), walker.field(field, "value"));
        let (Some(name), Some(value)) = parts else {
            walker.visit(field, Role::Read);
            continue;
        };
        let atom = walker.atom_of(name);
        let member = if value.kind() == "function_definition" {
            let function = walker.in_scope(ScopeKind::Block, |walker| walker.assigned_function(field, value, name));
            function.map(|id| walker.facts.expr(Expr::Definition(id)))
        } else {
            Some(walker.descend(walker.unknown, |walker| exported(walker, value)))
        };
        members.extend(member.map(|member| (atom, member)));
    }
    walker.facts.expr(Expr::Object(members))
}
