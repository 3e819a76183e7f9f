//! Docstrings, comments that document, and text folded onto one line.

use tree_sitter::Node;

use super::syntax::{Kind, children, kind};

/// Longest signature of a variable.
const LONGEST_SIGNATURE: usize = 200;
/// As much of a statement as its signature is made from.
const LONGEST_WRITTEN: usize = 4_000;
/// Most lines of a comment on a variable.
const MOST_LINES: usize = 64;

/// The docstring at the start of a module, class or function body.
pub(super) fn docstring(body: Node<'_>, text: &str) -> Option<String> {
    let statement = children(body).into_iter().next()?;
    string_statement(statement, text)
}

fn string_statement(statement: Node<'_>, text: &str) -> Option<String> {
    if kind(statement) != Kind::ExpressionStatement || statement.named_child_count() != 1 {
        return None;
    }
    let string = statement.named_child(0)?;
    match kind(string) {
        Kind::String => Some(clean(content(string, text))),
        _ => None,
    }
}

/// What stands between a string's quotes.
pub(super) fn content<'a>(string: Node<'_>, text: &'a str) -> &'a str {
    let count = string.child_count();
    let start = string.child(0).map_or(string.start_byte(), |child| child.end_byte());
    let end = string.child(count.saturating_sub(1)).map_or(string.end_byte(), |child| child.start_byte());
    text.get(start..end.max(start)).unwrap_or("")
}

/// A docstring without its indentation and outer blank lines.
fn clean(text: &str) -> String {
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

/// What documents a variable: the string after its statement, or the `#:` comment above it or beside it.
pub(super) fn variable_doc(statement: Node<'_>, text: &str) -> String {
    let statement = statement.parent().filter(|parent| kind(*parent) == Kind::ExpressionStatement).unwrap_or(statement);
    let next = statement.next_named_sibling();
    if let Some(doc) = next.and_then(|next| string_statement(next, text)) {
        return doc;
    }
    let mut lines = Vec::new();
    let mut above = statement.prev_sibling();
    while let Some(comment) = above.filter(|node| kind(*node) == Kind::Comment && lines.len() < MOST_LINES) {
        let Some(line) = text.get(comment.byte_range()).and_then(|line| line.strip_prefix("#:")) else { break };
        lines.push(line.trim());
        above = comment.prev_sibling();
    }
    lines.reverse();
    if lines.is_empty()
        && let Some(beside) = next.filter(|next| kind(*next) == Kind::Comment)
        && beside.start_position().row == statement.end_position().row
        && let Some(line) = text.get(beside.byte_range()).and_then(|line| line.strip_prefix("#:"))
    {
        lines.push(line.trim());
    }
    lines.join("\n")
}

/// Lines joined into one, with single blanks.
pub(super) fn fold<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let mut folded = String::new();
    for word in lines.flat_map(str::split_whitespace) {
        let tight = folded.ends_with(['(', '[']) || matches!(word.as_bytes(), [b')' | b']', ..]);
        if folded.ends_with(',') && word.starts_with([')', ']']) {
            // The comma after the last of several lines.
            folded.pop();
        }
        if !folded.is_empty() && !tight {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    folded
}

/// A variable's statement as its signature.
pub(super) fn variable_signature(text: &str) -> String {
    // Each of many names that one statement assigns has it for its signature.
    let end = (0..=LONGEST_WRITTEN.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let mut signature = fold(text[..end].lines().take(8));
    if signature.len() > LONGEST_SIGNATURE {
        let cut = (0..=LONGEST_SIGNATURE).rev().find(|at| signature.is_char_boundary(*at)).unwrap_or(0);
        signature.truncate(cut);
        signature.push('…');
    }
    signature
}
