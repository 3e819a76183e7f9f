//! Docstrings, documentation comments and one-line signatures.

use tree_sitter::Node;

use super::state::first_child;
use crate::lang::common::walker::Walker;
use crate::text::prefix;

/// Maximum size of a variable's signature.
const MAX_SIGNATURE_BYTES: usize = 200;
/// Maximum number of bytes of a statement that its signature is made from.
const MAX_STATEMENT_BYTES: usize = 4_000;
/// Maximum number of lines of a statement that its signature is made from.
const MAX_STATEMENT_LINES: usize = 8;
/// Maximum number of lines of a variable's documentation comment.
const MAX_COMMENT_LINES: usize = 64;

/// Returns the docstring at the start of a module, class or function body.
pub fn docstring<'a>(walker: &mut Walker<'a>, body: Node<'a>) -> Option<String> {
    let statement = first_child(walker, body)?;
    string_statement(statement, walker.text)
}

/// Returns the cleaned content of a statement that is a string.
fn string_statement(statement: Node<'_>, text: &str) -> Option<String> {
    let is_single = statement.kind() == "expression_statement" && statement.named_child_count() == 1;
    let string = statement.named_child(0).filter(|string| is_single && string.kind() == "string")?;
    Some(clean_docstring(string_content(string, text)))
}

/// Returns the text between a string's quotes.
pub fn string_content<'a>(string: Node<'_>, text: &'a str) -> &'a str {
    let count = string.child_count();
    let start = string.child(0).map_or(string.start_byte(), |child| child.end_byte());
    let end = string.child(count.saturating_sub(1)).map_or(string.end_byte(), |child| child.start_byte());
    text.get(start..end.max(start)).unwrap_or("")
}

/// Returns a docstring without indentation and outer blank lines (PEP 257, `inspect.cleandoc`).
fn clean_docstring(text: &str) -> String {
    let indent = text
        .lines()
        .skip(1)
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let mut cleaned = String::with_capacity(text.len());
    for (number, line) in text.lines().enumerate() {
        let line = if number == 0 { line.trim_start() } else { line.get(indent..).unwrap_or("") };
        if number > 0 {
            cleaned.push('\n');
        }
        cleaned.push_str(line.trim_end());
    }
    cleaned.trim().to_owned()
}

/// Returns a variable's documentation: the string after its statement, or the `#:` comment above it or on its line.
pub fn variable_doc<'a>(walker: &mut Walker<'a>, statement: Node<'a>) -> String {
    let text = walker.text;
    let comment = |node: Node<'a>| {
        let line = text.get(node.byte_range()).filter(|_| node.kind() == "comment")?;
        line.strip_prefix("#:").map(str::trim)
    };
    let is_statement = |parent: &Node<'_>| parent.kind() == "expression_statement";
    let statement = statement.parent().filter(is_statement).unwrap_or(statement);
    let next = statement.next_named_sibling();
    if let Some(doc) = next.and_then(|next| string_statement(next, text)) {
        return doc;
    }
    let above = std::iter::successors(statement.prev_sibling(), |node| node.prev_sibling());
    let mut lines: Vec<&str> = above.map_while(comment).take(MAX_COMMENT_LINES).collect();
    lines.reverse();
    let is_trailing = |next: &Node<'_>| next.start_position().row == statement.end_position().row;
    if lines.is_empty() {
        lines.extend(next.filter(is_trailing).and_then(comment));
    }
    lines.join("\n")
}

/// Returns lines joined into one, with single spaces.
pub fn single_line<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let mut joined = String::new();
    for word in lines.flat_map(str::split_whitespace) {
        let is_tight = joined.ends_with(['(', '[']) || matches!(word.as_bytes(), [b')' | b']', ..]);
        if joined.ends_with(',') && word.starts_with([')', ']']) {
            // A trailing comma before a closing bracket.
            joined.pop();
        }
        if !joined.is_empty() && !is_tight {
            joined.push(' ');
        }
        joined.push_str(word);
    }
    joined
}

/// Returns the signature of a variable: its statement on one line, truncated to [`MAX_SIGNATURE_BYTES`].
pub fn variable_signature(text: &str) -> String {
    // The statement is truncated first, because each of many assigned names gets a copy.
    let mut signature = single_line(prefix(text, MAX_STATEMENT_BYTES).lines().take(MAX_STATEMENT_LINES));
    if signature.len() > MAX_SIGNATURE_BYTES {
        signature.truncate(prefix(&signature, MAX_SIGNATURE_BYTES).len());
        signature.push('…');
    }
    signature
}
