//! Parses a file again when the grammar stumbled over a semicolon that the language supplies by itself.
//!
//! # Why
//!
//! Inside an interface a line that begins with `<` or `(` starts a new signature, whatever came before. The grammar reads
//! on instead, and one such place can spoil the whole file. A blank before the line's first character becomes a
//! semicolon, so that no position changes.

use tree_sitter::{Language, Parser, Tree};

/// Most places that are mended in one file.
const MOST_PLACES: usize = 500;

/// A tree with fewer errors than `tree` has, if mending gives one.
pub fn repaired(language: &Language, text: &str, tree: &Tree) -> Option<Tree> {
    if !tree.root_node().has_error() {
        return None;
    }
    let places = places(text);
    if places.is_empty() {
        return None;
    }
    let mut mended = text.as_bytes().to_vec();
    for place in places {
        mended[place] = b';';
    }
    let mut parser = Parser::new();
    parser.set_language(language).ok()?;
    let better = parser.parse(&mended, None)?;
    (damage(&better) < damage(tree)).then_some(better)
}

/// Blanks before a line's first `<` or `(`, where the line before may have ended something.
fn places(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut before = b' ';
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        let indent = line.len() - line.trim_start().len();
        let ends =
            before.is_ascii_alphanumeric() || matches!(before, b'_' | b'$' | b'>' | b']' | b')' | b'}' | b'\'' | b'"');
        if indent > 0 && trimmed.starts_with(['<', '(']) && ends && bytes[at + indent - 1].is_ascii_whitespace() {
            found.push(at + indent - 1);
        }
        let is_comment = trimmed.starts_with("//") || trimmed.starts_with('*') || trimmed.starts_with("/*");
        if let Some(&last) = trimmed.as_bytes().last()
            && !is_comment
        {
            before = last;
        }
        at += line.len();
        if found.len() >= MOST_PLACES {
            break;
        }
    }
    found
}

/// How much of a tree is no proper syntax: bytes in error nodes, and missing nodes.
fn damage(tree: &Tree) -> usize {
    let mut cursor = tree.walk();
    let mut total = 0;
    loop {
        let node = cursor.node();
        if node.is_error() {
            total += node.end_byte() - node.start_byte();
        } else if node.is_missing() {
            total += 1;
        }
        if node.has_error() && !node.is_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return total;
            }
        }
    }
}
