//! Kotlin's imports, types, extensions and properties, which no pattern can describe.

use tree_sitter::Node;

use crate::facts::{Container, Expr, ExprId, ImportName, Role, ScopeKind};
use crate::lang::common::patterns::Part;
use crate::lang::common::walker::Walker;
use crate::lang::common::{Hook, light};
use crate::model::SymbolKind;

/// The hooks by their names in `kotlin.scm`.
pub const HOOKS: &[(&str, Hook)] = &[
    ("for", scoped),
    ("function", function),
    ("import", import),
    ("infix", infix),
    ("path", light::path_type),
    ("property", property),
    ("type", type_declaration),
    ("variable", variable),
];

/// Adds `import a.b.C`, `import a.b.*` and `import a.b.c as d`. The name of a type is that of a callee, too.
fn import<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let children = walker.children(node);
    let Some(&path_node) = children.first() else { return walker.unknown };
    let path: Vec<&str> = walker.text_of(path_node).split('.').map(str::trim).collect();
    if walker.has_token(node, "*") {
        walker.import(path_node, &path, ImportName::All, &[]);
    } else {
        let alias = children.get(1).map(|alias| walker.text_of(*alias));
        let name = alias.or(path.last().copied()).unwrap_or_default();
        let bound = [walker.facts.atom(name), walker.callee_atom(name)];
        walker.import(path_node, &path, ImportName::Module, &bound);
    }
    walker.unknown
}

/// Adds the type of `annotation class A` that is taken for an expression, and visits every other one.
fn infix<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    let words: Vec<&str> = walker.text_of(node).split_whitespace().collect();
    if matches!(words[..], ["annotation", "class", _]) {
        return type_declaration(walker, node, role);
    }
    walker.visit_children(node);
    walker.unknown
}

fn type_declaration<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let kind = if walker.has_token(node, "interface") { SymbolKind::Interface } else { SymbolKind::Type };
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let Some(name) = walker.part(node, pattern, Part::Name) else { return walker.unknown };
    let (definition, decorators) = walker.header(node, pattern, name, kind);
    let id = walker.open_type(node, pattern, definition, &decorators);
    walker.bind_as_callee(id);
    walker.unknown
}

/// Returns the type before the dot in `fun T.name()` and `val T.name`.
fn receiver<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> Option<Node<'a>> {
    let children = walker.all_children(node);
    let dot = children.iter().position(|child| child.kind() == ".")?;
    children[..dot].last().copied().filter(|child| child.is_named())
}

fn function<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let Some(name) = walker.part(node, pattern, Part::Name).filter(|name| !name.is_missing()) else {
        walker.visit_children(node);
        return walker.unknown;
    };
    let extended = receiver(walker, node);
    let result = walker.parts(node, pattern, Part::Result).pop().filter(|part| Some(*part) != extended);
    in_receiver(walker, node, extended, |walker| {
        let is_member = walker.context.container != Container::Module;
        let kind = if is_member { SymbolKind::Method } else { SymbolKind::Function };
        let (definition, decorators) = walker.header(node, pattern, name, kind);
        let id = walker.open_function(node, pattern, definition, &decorators);
        let result = result.map(|part| walker.type_expr(part, None));
        if extended.is_some() {
            walker.facts.definition_mut(id).result = result;
        }
    });
    walker.unknown
}

fn in_receiver<'a>(
    walker: &mut Walker<'a>,
    node: Node<'a>,
    extended: Option<Node<'a>>,
    walk: impl FnOnce(&mut Walker<'a>),
) {
    let Some(extended) = extended else { return walk(walker) };
    let target = walker.type_expr(extended, Some(Role::Type));
    let names = light::type_names(walker, extended);
    if names.is_empty() { walk(walker) } else { walker.in_extension(node, (target, &names), None, walk) }
}

/// Adds `val a: T = b`, `val a by b`, and `val a get() = b`, which is a function that is read.
fn property<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let children = walker.all_children(node);
    let value = children.iter().position(|child| child.kind() == "=").and_then(|at| children.get(at + 1)).copied();
    let delegate = children.iter().find(|child| child.kind() == "property_delegate").copied();
    let Some(name) = walker.part(node, pattern, Part::Name) else {
        // `val (a, b) = c`
        walker.visit_children(node);
        return walker.unknown;
    };
    let value_type = walker.declared_type(node, pattern);
    if walker.context.is_local && walker.context.container == Container::Module {
        let value = value.or(delegate).map(|value| walker.visit(value, Role::Read));
        let atom = walker.atom_of(name);
        walker.bind_local(atom, node, value_type, value);
        return walker.unknown;
    }
    let extended = receiver(walker, node);
    in_receiver(walker, node, extended, |walker| {
        let kind = match walker.context.container {
            Container::Module if walker.text_of(node).starts_with("const") => SymbolKind::Const,
            Container::Module => SymbolKind::Var,
            _ => SymbolKind::Field,
        };
        let (mut definition, decorators) = walker.header(node, pattern, name, kind);
        definition.value_type = value_type;
        let start = value.or(delegate).map(|value| value.start_byte());
        let accessors = walker.parts(node, pattern, Part::Body);
        let start = start.or(accessors.first().map(|accessor| accessor.start_byte()));
        let id = walker.define(definition, start);
        walker.decorators(&decorators, id);
        let value = value.or(delegate).map(|value| walker.visit(value, Role::Read));
        walker.facts.definition_mut(id).value = value;
        accessors.into_iter().for_each(|accessor| _ = walker.visit(accessor, Role::Read));
    });
    walker.unknown
}

/// Binds a variable without a value: of a loop, or of a destructuring declaration.
fn variable<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let value_type = walker.declared_type(node, pattern);
    if let Some(name) = walker.part(node, pattern, Part::Name) {
        let atom = walker.atom_of(name);
        walker.bind_local(atom, name, value_type, None);
    }
    walker.unknown
}

/// Visits `for (a in b) {}` and `catch (e: E) {}`.
fn scoped<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    walker.in_scope(ScopeKind::Block, |walker| {
        let children = walker.children(node);
        match *children.as_slice() {
            [name, known, ref rest @ ..] if name.kind() == "identifier" => {
                let value_type = walker.type_expr(known, Some(Role::Type));
                let atom = walker.atom_of(name);
                walker.bind_local(atom, name, Some(value_type), None);
                rest.iter().for_each(|child| _ = walker.visit(*child, Role::Read));
            }
            [variable, iterable, ref rest @ ..] => {
                let value = walker.visit(iterable, Role::Read);
                let element = walker.facts.expr(Expr::Element(value));
                let names = walker.children(variable);
                match names.first().filter(|name| name.kind() == "identifier" && names.len() == 1) {
                    Some(name) => {
                        let atom = walker.atom_of(*name);
                        walker.bind_local(atom, variable, None, Some(element));
                    }
                    None => _ = walker.visit(variable, Role::Read),
                }
                rest.iter().for_each(|child| _ = walker.visit(*child, Role::Read));
            }
            _ => walker.visit_children(node),
        }
    });
    walker.unknown
}
