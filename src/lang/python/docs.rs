//! Docstrings, documentation comments and one-line signatures.

use tree_sitter::Node;

use super::grammar::{Kind, children, kind};

/// Maximum size of a variable's signature.
const MAX_SIGNATURE_BYTES: usize = 200;
/// Maximum number of bytes of a statement that its signature is made from.
const MAX_STATEMENT_BYTES: usize = 4_000;
/// Maximum number of lines of a statement that its signature is made from.
const MAX_STATEMENT_LINES: usize = 8;
/// Maximum number of lines of a variable's documentation comment.
const MAX_COMMENT_LINES: usize = 64;

/// Returns the docstring at the start of a module, class or function body.
pub(super) fn docstring(body: Node<'_>, text: &str) -> Option<String> {
    let statement = children(body).into_iter().next()?;
    string_statement(statement, text)
}

/// Returns the cleaned content of a statement that is a string.
fn string_statement(statement: Node<'_>, text: &str) -> Option<String> {
    if kind(statement) != Kind::ExpressionStatement || statement.named_child_count() != 1 {
        return None;
    }
    let string = statement.named_child(0)?;
    match kind(string) {
        Kind::String => Some(clean_docstring(string_content(string, text))),
        _ => None,
    }
}

/// Returns the text between a string's quotes.
pub(super) fn string_content<'a>(string: Node<'_>, text: &'a str) -> &'a str {
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
pub(super) fn variable_doc(statement: Node<'_>, text: &str) -> String {
    let statement = statement.parent().filter(|parent| kind(*parent) == Kind::ExpressionStatement).unwrap_or(statement);
    let next = statement.next_named_sibling();
    if let Some(doc) = next.and_then(|next| string_statement(next, text)) {
        return doc;
    }
    let mut lines = Vec::new();
    let mut above = statement.prev_sibling();
    while let Some(comment) = above.filter(|node| kind(*node) == Kind::Comment && lines.len() < MAX_COMMENT_LINES) {
        let Some(line) = text.get(comment.byte_range()).and_then(|line| line.strip_prefix("#:")) else { break };
        lines.push(line.trim());
        above = comment.prev_sibling();
    }
    lines.reverse();
    if lines.is_empty()
        && let Some(trailing) = next.filter(|next| kind(*next) == Kind::Comment)
        && trailing.start_position().row == statement.end_position().row
        && let Some(line) = text.get(trailing.byte_range()).and_then(|line| line.strip_prefix("#:"))
    {
        lines.push(line.trim());
    }
    lines.join("\n")
}

/// Returns lines joined into one, with single spaces.
pub(super) fn single_line<'a>(lines: impl Iterator<Item = &'a str>) -> String {
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
pub(super) fn variable_signature(text: &str) -> String {
    // The statement is truncated first, because each of many assigned names gets a copy.
    let end = (0..=MAX_STATEMENT_BYTES.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let mut signature = single_line(text[..end].lines().take(MAX_STATEMENT_LINES));
    if signature.len() > MAX_SIGNATURE_BYTES {
        let cut = (0..=MAX_SIGNATURE_BYTES).rev().find(|at| signature.is_char_boundary(*at)).unwrap_or(0);
        signature.truncate(cut);
        signature.push('…');
    }
    signature
}
