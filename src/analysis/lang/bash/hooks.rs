//! Bash's commands: calls of functions, `source`, and the tests of Bats.

use std::collections::HashSet;

use tree_sitter::Node;

use crate::facts::{ExprId, ImportName, Role, SignalKind};
use crate::lang::common::Hook;
use crate::lang::common::walker::Walker;
use crate::model::SymbolKind;

/// The hooks by their names in `bash.scm`.
pub const HOOKS: &[(&str, Hook)] = &[("command", command), ("declaration", declaration), ("expansion", expansion)];

/// Commands whose first argument is a command.
const WRAPPERS: &[&str] = &["builtin", "command", "exec", "nohup", "run", "time", "trap"];

/// Commands that run none of their arguments, though these can be names of functions.
const TAKES_TEXTS: &[&str] =
    &["[", "alias", "cd", "echo", "hash", "printf", "read", "set", "test", "type", "unalias", "unset", "which"];

fn command<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(name_node) = walker.field(node, "name") else { return walker.unknown };
    let arguments: Vec<Node<'a>> = walker.children(node).into_iter().filter(|child| *child != name_node).collect();
    let name = walker.text_of(name_node);
    match (name, arguments.first().copied()) {
        ("source" | "." | "load", Some(path)) => import(walker, path),
        ("@test", Some(title)) => return test(walker, node, title),
        ("}", _) if walker.context.source != walker.context.parent => end_test(walker, node),
        (_, Some(first)) if WRAPPERS.contains(&name) && first.kind() == "word" => call(walker, first),
        ("trap", Some(first)) => call_in_text(walker, first),
        _ => call(walker, name_node),
    }
    let called = usize::from(WRAPPERS.contains(&name)).min(arguments.len());
    if !TAKES_TEXTS.contains(&name) {
        refer_to_functions(walker, &arguments[called..]);
    }
    walker.runs(node, walker.text_of(node));
    walker.visit_children(name_node);
    arguments.into_iter().for_each(|argument| _ = walker.visit(argument, Role::Read));
    walker.unknown
}

/// Adds a call of a function, or of a program where no function has the name.
fn call<'a>(walker: &mut Walker<'a>, name_node: Node<'a>) {
    let name = walker.text_of(name_node);
    if is_function_name(name) {
        let expr = walker.facts.name(name);
        walker.refer(expr, name_node, Role::Call);
    }
}

fn is_function_name(name: &str) -> bool {
    let is_plain = |letter: char| letter.is_alphanumeric() || "_-:.+@".contains(letter);
    name.chars().all(is_plain) && name.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// Adds calls of the functions that begin the commands in a string: `trap 'cleanup; exit 1' EXIT`.
fn call_in_text<'a>(walker: &mut Walker<'a>, string: Node<'a>) {
    let text = walker.text_of(string).trim_matches(['"', '\'']);
    for command in text.split([';', '|', '&', '\n', '{', '(']) {
        let name = command.trim_start().split(|letter: char| letter.is_whitespace() || letter == ')').next();
        if let Some(name) = name.filter(|name| is_function_name(name)) {
            let expr = walker.facts.name(name);
            walker.refer(expr, string, Role::Call);
        }
    }
}

/// The names of the functions that a file defines, once they are needed.
#[derive(Default)]
struct Functions(Option<HashSet<String>>);

/// Adds reads of the functions of the file that words after a command name, which may run them: `retry 3 fetch`.
fn refer_to_functions<'a>(walker: &mut Walker<'a>, arguments: &[Node<'a>]) {
    let words = arguments.iter().filter(|argument| argument.kind() == "word");
    for word in words.copied().collect::<Vec<_>>() {
        let text = walker.text;
        let known = walker.state::<Functions>().0.get_or_insert_with(|| text.lines().filter_map(defined).collect());
        let known = known.contains(text.get(word.byte_range()).unwrap_or_default());
        if known {
            let expr = walker.facts.name(walker.text_of(word));
            walker.refer(expr, word, Role::Read);
        }
    }
}

/// Returns the name of the function whose definition a line begins: `name() {`, `function name {`.
fn defined(line: &str) -> Option<String> {
    let line = line.trim_start();
    let name = match line.strip_prefix("function ") {
        Some(rest) => rest.split(|letter: char| letter.is_whitespace() || letter == '(').find(|part| !part.is_empty()),
        None => {
            line.split_once('(').filter(|(_, rest)| rest.trim_start().starts_with(')')).map(|(name, _)| name.trim())
        }
    };
    name.filter(|name| is_function_name(name)).map(str::to_owned)
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
