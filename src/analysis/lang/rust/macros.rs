//! Macro calls. The grammar has only tokens for their arguments, so these are parsed again as expressions, in place: a
//! few bytes around and between them are replaced, and positions remain those of the file.

use std::cell::RefCell;

use tree_sitter::{Node, Parser, Point, Range, Tree};

use super::builtins::MACRO_SUFFIX;
use super::calls::State;
use super::{module_lists, paths, signals};
use crate::facts::{ExprId, Role};
use crate::lang::common::patterns::{Action, Part};
use crate::lang::common::walker::Walker;

/// Maximum depth of macro calls inside macro arguments.
const MAX_MACRO_NESTING: u32 = 6;
/// Maximum size of arguments that are parsed; larger ones are tables of data.
const MAX_MACRO_ARGUMENT_BYTES: usize = 50_000;

thread_local! {
    // A parser of its own, because the file's parser is borrowed by the caller.
    static PARSER: RefCell<Option<Parser>> = const { RefCell::new(None) };
}

/// Visits `name!(…)` as an expression, statement or type.
pub fn macro_call<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(path) = walker.part_of(node, Part::Name) else { return walker.unknown };
    let full = walker.text_of(path);
    let name = full.rsplit("::").next().unwrap_or(full);
    // The path is a root because macros have scopes of their own; the rules resolve it.
    let root = paths::root(walker, &format!("{full}{MACRO_SUFFIX}"));
    let name_node = walker.part_of(path, Part::Name).unwrap_or(path);
    walker.refer(root, name_node, Role::Call);
    let Some(tokens) = walker.part_of(node, Part::Arguments) else { return walker.unknown };
    module_lists::call(walker, name, tokens);
    let args = arguments(walker, name, tokens);
    signals::macro_call(walker, name, tokens);
    let first = args.first().copied().unwrap_or(walker.unknown);
    match name {
        "vec" => walker.facts.builtin("Vec", vec![first]),
        "format" => walker.facts.builtin("String", Vec::new()),
        "concat" | "stringify" | "env" | "include_str" | "file" | "module_path" => {
            walker.facts.builtin("str", Vec::new())
        }
        "matches" | "cfg" => walker.facts.builtin("bool", Vec::new()),
        "dbg" => first,
        _ => walker.unknown,
    }
}

/// Parses the tokens of a macro call as expressions, a `match` or items, and returns the values of the arguments.
fn arguments<'a>(walker: &mut Walker<'a>, name: &str, tokens: Node<'a>) -> Vec<ExprId> {
    let text = walker.text_of(tokens);
    let depth = walker.state::<State>().macro_depth;
    if text.len() <= 2 || text.len() > MAX_MACRO_ARGUMENT_BYTES || depth >= MAX_MACRO_NESTING || is_only_literals(text)
    {
        return Vec::new();
    }
    // The closing delimiter may be missing while the file is edited.
    let inner = text[1..].strip_suffix([')', ']', '}']).unwrap_or(&text[1..]);
    let comma = if matches!(name, "matches" | "assert_matches") { top_level_comma(inner) } else { None };
    let tree = match comma {
        Some(comma) => {
            let pattern = inner[comma + 1..].trim_end().trim_end_matches(',');
            parse(tokens, 1, &["match ", &inner[..comma], "{", pattern, " => ()};"])
        }
        None if name == "vec" => parse(tokens, 0, &["[", inner, "];"]),
        None if text.starts_with('{') => parse(tokens, 0, &["{", inner, "}"]),
        None => parse(tokens, 0, &["(", inner, ");"]),
    };
    let Some(tree) = tree else { return Vec::new() };
    let root = walker.inner_root(tree);
    walker.state::<State>().macro_depth += 1;
    let mut values = Vec::new();
    for statement in parts(walker, root) {
        macro_statement(walker, statement, &mut values);
    }
    walker.state::<State>().macro_depth -= 1;
    values
}

fn macro_statement<'a>(walker: &mut Walker<'a>, statement: Node<'a>, values: &mut Vec<ExprId>) {
    let inner = match statement.kind() {
        "expression_statement" => walker.children(statement).first().copied().unwrap_or(statement),
        _ => statement,
    };
    match inner.kind() {
        "tuple_expression" | "parenthesized_expression" | "array_expression" => {
            for part in parts(walker, inner) {
                // `name = value` is a named argument, not an assignment.
                let named = walker.part_of(part, Part::Right).filter(|_| part.kind() == "assignment_expression");
                values.push(walker.visit(named.unwrap_or(part), Role::Read));
            }
        }
        // Other braces than a list of items usually contain a language of the macro's own.
        "block" if !walker.context.is_local && (!inner.has_error() || has_items(walker, inner)) => {
            walker.statements(inner);
        }
        _ => {
            let locals = walker.flow.locals.len();
            walker.visit(inner, Role::Read);
            if walker.is(inner, Action::Block) {
                walker.flow.locals.truncate(locals);
            }
        }
    }
}

/// Returns whether a block has items, which can have syntax of the macro's own in them.
fn has_items<'a>(walker: &mut Walker<'a>, block: Node<'a>) -> bool {
    walker.children(block).into_iter().any(|child| walker.is_item(child))
}

/// Returns the named children of a node, also those that are no Rust: many macros have a language of their own.
fn parts<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> Vec<Node<'a>> {
    let mut parts = walker.all_children(node);
    parts.retain(|part| part.is_named() && (!part.is_extra() || part.is_error()));
    parts
}

/// Parses `parts` as text that begins at the first byte of `tokens` plus `inset`, less the first part if that is inserted.
fn parse(tokens: Node<'_>, inset: usize, parts: &[&str]) -> Option<Tree> {
    let inserted = if inset > 0 { parts[0].len() } else { 0 };
    let start = (tokens.start_byte() + inset).checked_sub(inserted)?;
    let Point { row, column } = tokens.start_position();
    let start_point = Point { row, column: (column + inset).saturating_sub(inserted) };
    let end = start + parts.iter().map(|part| part.len()).sum::<usize>();
    let range =
        Range { start_byte: start, end_byte: end, start_point, end_point: Point { row: u32::MAX as usize, column: 0 } };
    let mut read = |byte: usize, _: Point| {
        let mut at = start;
        for part in parts {
            if byte < at + part.len() {
                return part.as_bytes().get(byte.saturating_sub(at)..).unwrap_or_default();
            }
            at += part.len();
        }
        &[]
    };
    PARSER.with_borrow_mut(|slot| {
        if slot.is_none() {
            let mut parser = Parser::new();
            parser.set_language(&tree_sitter_rust::LANGUAGE.into()).ok()?;
            *slot = Some(parser);
        }
        let parser = slot.as_mut()?;
        parser.reset();
        parser.set_included_ranges(&[range]).ok()?;
        parser.parse_with_options(&mut read, None, None)
    })
}

/// Returns whether arguments have no identifier outside of literals, so that there is nothing to reference.
fn is_only_literals(text: &str) -> bool {
    !outside_of_literals(text).any(|(_, byte)| byte.is_ascii_alphabetic() || byte == b'_')
}

/// Returns the byte of the first comma outside of brackets and literals.
fn top_level_comma(text: &str) -> Option<usize> {
    let mut depth = 0_i32;
    for (at, byte) in outside_of_literals(text) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b',' if depth == 0 => return Some(at),
            _ => {}
        }
    }
    None
}

/// Returns the bytes of a text that are in no string, character or comment, with their positions.
fn outside_of_literals(text: &str) -> impl Iterator<Item = (usize, u8)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = text.as_bytes().get(at..)?;
            let (length, &byte) = (literal_length(rest), rest.first()?);
            at += length.max(1);
            if length == 0 {
                return Some((at - 1, byte));
            }
        }
    })
}

/// Returns the length of the string, character or comment that a text begins with; 0 if it begins with something else.
fn literal_length(text: &[u8]) -> usize {
    let until = |from: usize, end: &[u8]| {
        let found = text.get(from..).and_then(|rest| rest.windows(end.len()).position(|window| window == end));
        found.map_or(text.len(), |at| from + at + end.len())
    };
    match text {
        [b'"', rest @ ..] => {
            let mut is_escaped = false;
            let end = rest.iter().position(|byte| {
                let is_end = *byte == b'"' && !is_escaped;
                is_escaped = *byte == b'\\' && !is_escaped;
                is_end
            });
            end.map_or(text.len(), |end| end + 2)
        }
        [b'r', rest @ ..] => {
            let marks = rest.iter().take_while(|byte| **byte == b'#').count();
            let end = [&b"\""[..], &rest[..marks]].concat();
            if rest.get(marks) == Some(&b'"') { until(marks + 2, &end) } else { 0 }
        }
        [b'\'', b'\\', _, ..] => until(3, b"'"),
        // A lifetime has no second quote.
        [b'\'', rest @ ..] => {
            let end = rest.iter().take(MAX_CHARACTER).skip(1).position(|byte| *byte == b'\'');
            end.map(|end| end + 3)
                .filter(|end| std::str::from_utf8(&text[1..end - 1]).is_ok_and(is_character))
                .unwrap_or(0)
        }
        [b'/', b'/', ..] => until(2, b"\n"),
        [b'/', b'*', ..] => until(2, b"*/"),
        _ => 0,
    }
}

/// Maximum length in bytes of a character and the quote behind it.
const MAX_CHARACTER: usize = 5;

fn is_character(text: &str) -> bool {
    text.chars().count() == 1
}
