//! Search words of a body: identifiers and words in strings.
//!
//! Go has no nested named functions, so scanning the text yields the same words as walking the tree and is much
//! cheaper.

use super::docs::{string_end, truncate};

/// Maximum number of bytes scanned, which bounds the cost of generated functions.
const MAX_BODY_BYTES: usize = 64 * 1024;

/// Returns identifiers and words in strings, separated by spaces, without keywords, numbers and comments.
pub(super) fn collect(text: &str) -> String {
    let text = truncate(text, MAX_BODY_BYTES);
    let bytes = text.as_bytes();
    let mut words = String::with_capacity(text.len() / 2);
    let mut offset = 0;
    // End of the current string literal, in which slashes start no comment.
    let mut literal_end = 0;
    while offset < bytes.len() {
        match bytes[offset] {
            b'/' if offset >= literal_end && bytes.get(offset + 1) == Some(&b'/') => {
                offset += text[offset..].find('\n').unwrap_or(text.len() - offset);
            }
            b'/' if offset >= literal_end && bytes.get(offset + 1) == Some(&b'*') => {
                offset += text[offset..].find("*/").map_or(text.len() - offset, |length| length + 2);
            }
            quote @ (b'"' | b'`') if offset >= literal_end => {
                literal_end = string_end(bytes, offset, quote);
                offset += 1;
            }
            byte if is_word_byte(byte) => {
                let start = offset;
                while offset < bytes.len() && is_word_byte(bytes[offset]) {
                    offset += 1;
                }
                push_word(&mut words, &text[start..offset]);
            }
            _ => offset += 1,
        }
    }
    words
}

fn push_word(words: &mut String, word: &str) {
    if word.len() < 2 || word.starts_with(|first: char| first.is_ascii_digit()) || is_keyword(word) {
        return;
    }
    if !words.is_empty() {
        words.push(' ');
    }
    words.push_str(word);
}

/// Returns whether a byte is part of a word. Bytes from 128 on belong to letters of other scripts, or to rare symbols.
fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 128
}

fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "break"
            | "case"
            | "chan"
            | "const"
            | "continue"
            | "default"
            | "defer"
            | "else"
            | "fallthrough"
            | "for"
            | "func"
            | "go"
            | "goto"
            | "if"
            | "import"
            | "interface"
            | "map"
            | "package"
            | "range"
            | "return"
            | "select"
            | "struct"
            | "switch"
            | "type"
            | "var"
            | "nil"
            | "true"
            | "false"
    )
}
