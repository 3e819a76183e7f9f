//! Comments, strings and keywords.

use crate::lang::common::lexicon::{DocStyle, Lexicon, Piece, is_word_byte};

/// The comments, strings and keywords that Rust has in common with other languages.
pub const LEXICON: Lexicon = Lexicon {
    line_comments: &["//"],
    block_comments: &[],
    quotes: &[],
    long_quotes: &["\""],
    raw_quotes: &[],
    // Sorted for binary search.
    keywords: &[
        "Self", "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern",
        "false", "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return",
        "self", "static", "struct", "super", "trait", "true", "type", "unsafe", "use", "where", "while",
    ],
    docs: DocStyle::TAGS,
};

/// Returns the piece of a text at a byte, and its end: also of comments inside comments, of raw strings, and of
/// characters, whose quote also begins a lifetime.
pub fn piece(lexicon: &Lexicon, text: &str, at: usize) -> (Piece, usize) {
    let rest = &text.as_bytes()[at..];
    let found = match rest[0] {
        b'/' if rest.starts_with(b"/*") => Some((Piece::Comment, comment_length(rest))),
        b'\'' => Some((Piece::Other, quote_length(rest))),
        b'r' | b'b' | b'c' => raw_string_length(rest).map(|length| (Piece::String, length)),
        _ => None,
    };
    match found {
        Some((piece, length)) => (piece, at + length),
        None => lexicon.piece(text, at),
    }
}

fn comment_length(bytes: &[u8]) -> usize {
    let (mut depth, mut at) = (0_u32, 0);
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b'/', Some(b'*')) => (depth, at) = (depth + 1, at + 2),
            (b'*', Some(b'/')) => (depth, at) = (depth.saturating_sub(1), at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// Returns the length of a character, or of the quote of a lifetime.
fn quote_length(bytes: &[u8]) -> usize {
    match bytes {
        [_, b'\\', _, rest @ ..] => rest.iter().take(12).position(|byte| *byte == b'\'').map_or(1, |length| length + 4),
        [_, _, b'\'', ..] => 3,
        _ => 1,
    }
}

/// Returns the length of a string such as `r#"text"#`; `None` for anything else.
fn raw_string_length(bytes: &[u8]) -> Option<usize> {
    let prefix = bytes.iter().position(|byte| !is_word_byte(*byte))?;
    let hashes = bytes[prefix..].iter().take_while(|byte| **byte == b'#').count();
    let start = prefix + hashes + 1;
    if !matches!(&bytes[..prefix], b"r" | b"br" | b"cr") || bytes.get(start - 1) != Some(&b'"') {
        return None;
    }
    let is_end = |at: &usize| bytes[*at] == b'"' && bytes[at + 1..].iter().take(hashes).all(|byte| *byte == b'#');
    let end = (start..bytes.len().saturating_sub(hashes)).find(is_end);
    Some(end.map_or(bytes.len(), |end| end + 1 + hashes))
}
