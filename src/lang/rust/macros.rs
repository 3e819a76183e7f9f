//! Macro calls. The grammar has only tokens for their arguments, so these are parsed again as expressions.

use std::cell::RefCell;
use std::rc::Rc;

use tree_sitter::Node;

use super::attributes::OuterAttributes;
use super::builtins::MACRO_SUFFIX;
use super::grammar::{Kind, kind};
use super::walker::{Walker, children};
use crate::facts::{ExprId, Role};

/// Maximum depth of macro calls inside macro arguments.
const MAX_MACRO_NESTING: u32 = 6;
/// Maximum size of arguments that are parsed; larger ones are tables of data.
const MAX_MACRO_ARGUMENT_BYTES: usize = 50_000;

thread_local! {
    // A parser of its own, because the file's parser is borrowed by the caller.
    static PARSER: RefCell<Option<tree_sitter::Parser>> = const { RefCell::new(None) };
}

impl Walker {
    /// Visits `name!(…)` as an expression, statement or type.
    pub fn macro_call(&mut self, node: Node<'_>) -> ExprId {
        let Some(path) = self.child(node, self.fields.macro_name) else { return self.unknown };
        let full = self.text_of(path);
        let name = full.rsplit("::").next().unwrap_or(full).to_owned();
        self.add_macro_reference(path);
        let Some(tokens) = children(node).into_iter().find(|child| child.kind() == "token_tree") else {
            return self.unknown;
        };
        let args = self.macro_arguments(&name, tokens);
        self.macro_signals(&name, tokens);
        let first = args.first().copied().unwrap_or(self.unknown);
        match name.as_str() {
            "vec" => self.builder.builtin("Vec", vec![first]),
            "format" => self.builder.builtin("String", Vec::new()),
            "concat" | "stringify" | "env" | "include_str" | "file" | "module_path" => {
                self.builder.builtin("str", Vec::new())
            }
            "matches" | "cfg" => self.builder.builtin("bool", Vec::new()),
            "dbg" => first,
            _ => self.unknown,
        }
    }

    /// References the macro. Its path is a root because macros have scopes of their own; [`super::rules`] resolves it.
    fn add_macro_reference(&mut self, path: Node<'_>) {
        let name_node = self.child(path, self.fields.name).unwrap_or(path);
        let marked = format!("{}{MACRO_SUFFIX}", self.text_of(path));
        let expr = self.root(&marked);
        self.add_reference(expr, name_node, Role::Call);
    }

    /// Parses the tokens of a macro call as expressions, a `match` or items, and returns the values of the arguments.
    fn macro_arguments(&mut self, name: &str, tokens: Node<'_>) -> Vec<ExprId> {
        let text = self.text_of(tokens);
        if text.len() <= 2 || text.len() > MAX_MACRO_ARGUMENT_BYTES || self.macro_depth >= MAX_MACRO_NESTING {
            return Vec::new();
        }
        if is_only_literals(text) {
            return Vec::new();
        }
        // The closing delimiter may be missing while the file is edited.
        let inner = text[1..].strip_suffix([')', ']', '}']).unwrap_or(&text[1..]);
        // `shift` is the distance from the position in the snippet to the one in the file.
        let (snippet, shift) = match name {
            "matches" | "assert_matches" => match top_level_comma(inner) {
                Some(comma) => {
                    let (value, pattern) = (&inner[..comma], inner[comma + 1..].trim_end().trim_end_matches(','));
                    (format!("match {value}{{{pattern} => ()}};"), 1 - "match ".len() as i64)
                }
                None => (format!("({inner});"), 0),
            },
            "vec" => (format!("[{inner}];"), 0),
            _ if text.starts_with('{') => (format!("{{{inner}}}"), 0),
            _ => (format!("({inner});"), 0),
        };
        let offset = self.position(tokens) as i64 + shift;
        let row = self.line(tokens) - 1;
        self.reparse(snippet, offset, row)
    }

    fn reparse(&mut self, snippet: String, offset: i64, row: u32) -> Vec<ExprId> {
        let Some(tree) = parse(&snippet) else { return Vec::new() };
        let saved = (std::mem::replace(&mut self.text, Rc::from(snippet)), self.offset, self.row);
        (self.offset, self.row) = (offset, row);
        self.macro_depth += 1;
        let mut values = Vec::new();
        for statement in children(tree.root_node()) {
            self.macro_statement(statement, &mut values);
        }
        self.macro_depth -= 1;
        (self.text, self.offset, self.row) = saved;
        values
    }

    fn macro_statement(&mut self, statement: Node<'_>, values: &mut Vec<ExprId>) {
        let inner = match kind(statement) {
            Kind::ExpressionStatement => children(statement).first().copied().unwrap_or(statement),
            _ => statement,
        };
        match kind(inner) {
            Kind::Tuple | Kind::Parenthesized | Kind::Array => {
                for part in children(inner) {
                    values.push(self.macro_argument(part));
                }
            }
            // Other braces than a valid list of items usually contain a language of the macro's own.
            Kind::Block if !self.context.in_function && !inner.has_error() => self.item_list(inner),
            _ => _ = self.statement(inner),
        }
    }

    /// Visits one argument. `name = value` is a named argument, not an assignment.
    fn macro_argument(&mut self, node: Node<'_>) -> ExprId {
        match kind(node) {
            Kind::Assignment => self.child(node, self.fields.right).map_or(self.unknown, |right| self.value(right)),
            _ => self.value(node),
        }
    }

    /// Visits items and statements in a macro's braces, such as `cfg_if! { … }`.
    fn item_list(&mut self, block: Node<'_>) {
        let mut cursor = block.walk();
        let parts: Vec<Node<'_>> = block.named_children(&mut cursor).collect();
        let mut attributes = OuterAttributes::default();
        for part in parts {
            if attributes.try_push(part) {
                continue;
            }
            if super::blocks::is_item(kind(part)) {
                self.item(part, &attributes);
            } else {
                let mark = self.locals.len();
                self.statement(part);
                self.locals.truncate(mark);
            }
            attributes.clear();
        }
    }
}

fn parse(snippet: &str) -> Option<tree_sitter::Tree> {
    PARSER.with_borrow_mut(|slot| {
        if slot.is_none() {
            let mut parser = tree_sitter::Parser::new();
            parser.set_language(&tree_sitter_rust::LANGUAGE.into()).ok()?;
            *slot = Some(parser);
        }
        let parser = slot.as_mut()?;
        parser.reset();
        parser.parse(snippet, None)
    })
}

/// Returns whether arguments have no identifier outside of string literals, so that there is nothing to reference.
fn is_only_literals(text: &str) -> bool {
    let mut inside = false;
    let mut previous = b' ';
    for byte in text.bytes() {
        match byte {
            b'"' if previous != b'\\' => inside = !inside,
            _ if !inside && (byte.is_ascii_alphabetic() || byte == b'_') => return false,
            _ => {}
        }
        previous = byte;
    }
    true
}

/// Returns the byte of the first comma outside of brackets and string literals.
fn top_level_comma(text: &str) -> Option<usize> {
    let mut depth = 0_i32;
    let mut inside = false;
    let mut previous = b' ';
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' if previous != b'\\' => inside = !inside,
            b'(' | b'[' | b'{' if !inside => depth += 1,
            b')' | b']' | b'}' if !inside => depth -= 1,
            b',' if !inside && depth == 0 => return Some(at),
            _ => {}
        }
        previous = byte;
    }
    None
}
