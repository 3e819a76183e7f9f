//! Bash's commands: calls of functions, `source`, and the tests of Bats.

use tree_sitter::Node;

use crate::facts::{ExprId, ImportName, Role, SignalKind};
use crate::lang::common::Hook;
use crate::lang::common::walker::Walker;
use crate::model::SymbolKind;

/// The hooks by their names in `bash.scm`.
pub const HOOKS: &[(&str, Hook)] = &[("command", command), ("declaration", declaration), ("expansion", expansion)];

/// Commands whose first argument is a command.
const WRAPPERS: &[&str] = &["builtin", "command", "exec", "nohup", "run", "time", "trap"];

fn command<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(name_node) = walker.field(node, "name") else { return walker.unknown };
    let arguments: Vec<Node<'a>> = walker.children(node).into_iter().filter(|child| *child != name_node).collect();
    let name = walker.text_of(name_node);
    match (name, arguments.first().copied()) {
        ("source" | "." | "load", Some(path)) => import(walker, path),
        ("@test", Some(title)) => return test(walker, node, title),
        ("}", _) if walker.context.source != walker.context.parent => end_test(walker, node),
        (_, Some(first)) if WRAPPERS.contains(&name) && first.kind() == "word" => call(walker, first),
        _ => call(walker, name_node),
    }
    walker.runs(node, walker.text_of(node));
    walker.visit_children(name_node);
    arguments.into_iter().for_each(|argument| _ = walker.visit(argument, Role::Read));
    walker.unknown
}

/// Adds a call of a function, or of a program where no function has the name.
fn call<'a>(walker: &mut Walker<'a>, name_node: Node<'a>) {
    let name = walker.text_of(name_node);
    let is_plain = |letter: char| letter.is_alphanumeric() || "_-:.+@".contains(letter);
    if name.chars().all(is_plain) && name.starts_with(|first: char| first.is_alphabetic() || first == '_') {
        let expr = walker.facts.name(name);
        walker.refer(expr, name_node, Role::Call);
    }
}

/// Imports the file whose path ends with what follows the last expansion in a path.
fn import<'a>(walker: &mut Walker<'a>, path: Node<'a>) {
    let text = walker.text_of(path).trim_matches(['"', '\'']);
    let literal = text.rsplit(['}', ')', '"']).next().unwrap_or(text);
    // `$root/$dir/lib.sh`: the name of the last variable ends at the slash.
    let literal = match literal.rsplit_once('$') {
        Some((_, rest)) => rest.split_once('/').map_or("", |(_, rest)| rest),
        None => literal,
    };
    let literal = literal.trim_start_matches('/');
    if !literal.is_empty() && !literal.contains(['$', '`']) {
        walker.import(path, &[literal], ImportName::All, &[]);
    }
}

/// Adds the read of a variable that has a default or must be set, since only the environment can set it: `${PORT:-80}`.
fn expansion<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let text = walker.text_of(node).trim_start_matches("${");
    let is_part = |letter: char| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_';
    let (name, rest) = text.split_at(text.find(|letter| !is_part(letter)).unwrap_or(text.len()));
    let is_read = [":-", ":?", ":=", "-", "?", "="].iter().any(|sign| rest.starts_with(sign));
    if is_read && name.starts_with(|first: char| first.is_ascii_uppercase()) {
        let name = walker.facts.atom(name);
        walker.signal(node, SignalKind::ReadsEnv(name));
    }
    walker.visit_children(node);
    walker.unknown
}

/// Adds the exported and constant variables of a file.
fn declaration<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    for child in walker.children(node) {
        let name = walker.field(child, "name").filter(|name| name.kind() == "variable_name");
        if let Some(name) = name.filter(|_| !walker.context.is_local && child.kind() == "variable_assignment") {
            let known = walker.atom_of(name);
            if !walker.top_level.contains_key(&known) {
                let definition = walker.new_definition(walker.text_of(name), SymbolKind::Const, node, name);
                walker.define(definition, None);
            }
        }
        walker.visit(child, Role::Read);
    }
    walker.unknown
}

/// Adds a test of Bats: `@test "title" {`, whose body the grammar takes for the commands that follow.
fn test<'a>(walker: &mut Walker<'a>, node: Node<'a>, title: Node<'a>) -> ExprId {
    let name = walker.text_of(title).trim_matches(['"', '\'']);
    let mut definition = walker.new_definition(name, SymbolKind::Function, node, title);
    definition.flags.is_test = true;
    let id = walker.define(definition, Some(node.end_byte()));
    walker.context.source = Some(id);
    walker.unknown
}

fn end_test(walker: &mut Walker<'_>, node: Node<'_>) {
    if let Some(id) = walker.context.source.take() {
        let span = &mut walker.facts.definition_mut(id).span;
        (span.end_byte, span.end_line) = (node.end_byte() as u32, node.end_position().row as u32 + 1);
    }
    walker.context.source = walker.context.parent;
}
