//! Patches valid source that the grammar cannot parse, and parses it again.
//!
//! # Why
//!
//! In an interface, a line that starts with `<` or `(` starts a new signature. The grammar continues the previous one
//! instead, and a single error can corrupt the tree of the whole file. Such a line gets a semicolon instead of the
//! blank before it, so that positions do not change. `using` declarations are newer than the grammar and become
//! `const`.

use tree_sitter::{Language, Parser, Tree};

use crate::lang::parser::error_size;

/// Maximum number of semicolons that are added to one file.
const MAX_PATCHES: usize = 500;

/// Returns a tree with fewer errors than `tree`, if patching yields one.
pub fn reparse(language: &Language, text: &str, tree: &Tree) -> Option<Tree> {
    let is_broken = tree.root_node().has_error();
    if !is_broken && !text.contains("using ") {
        return None;
    }
    let mut patched = text.as_bytes().to_vec();
    // Some `using` declarations parse as something else without an error.
    let has_using = replace_using(text, &mut patched);
    if is_broken {
        for offset in missing_semicolons(text) {
            patched[offset] = b';';
        }
    }
    if patched == text.as_bytes() {
        return None;
    }
    let mut parser = Parser::new();
    parser.set_language(language).ok()?;
    let reparsed = parser.parse(&patched, None)?;
    let (before, after) = (error_size(tree), error_size(&reparsed));
    (after < before || has_using && after == before).then_some(reparsed)
}

/// Returns the offsets of blanks before a line's first `<` or `(`, where the previous line may have ended a member.
fn missing_semicolons(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut before = b' ';
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        let indent = line.len() - line.trim_start().len();
        let ends =
            before.is_ascii_alphanumeric() || matches!(before, b'_' | b'$' | b'>' | b']' | b')' | b'}' | b'\'' | b'"');
        if indent > 0 && trimmed.starts_with(['<', '(']) && ends && bytes[offset + indent - 1].is_ascii_whitespace() {
            found.push(offset + indent - 1);
        }
        let is_comment = trimmed.starts_with("//") || trimmed.starts_with('*') || trimmed.starts_with("/*");
        if let Some(&last) = trimmed.as_bytes().last()
            && !is_comment
        {
            before = last;
        }
        offset += line.len();
        if found.len() >= MAX_PATCHES {
            break;
        }
    }
    found
}

/// Replaces `using x = …` and `await using x = …` by `const x = …`. Returns whether there was one.
fn replace_using(text: &str, patched: &mut [u8]) -> bool {
    let mut found = false;
    for (offset, _) in text.match_indices("using ") {
        let (before, after) = (&text[..offset], &text[offset + "using ".len()..]);
        let is_name = after.starts_with(|first: char| first.is_alphabetic() || first == '_' || first == '$');
        let name = after.trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$');
        let is_declaration = is_name && name.trim_start().starts_with(['=', ':']);
        let start = if before.ends_with("await ") { offset - "await ".len() } else { offset };
        let starts_line = text[..start].trim_end_matches([' ', '\t']).ends_with(['\n', ';', '{', '(']);
        if is_declaration && starts_line {
            patched[start..offset + "using".len()].fill(b' ');
            patched[start..start + "const".len()].copy_from_slice(b"const");
            found = true;
        }
    }
    found
}
