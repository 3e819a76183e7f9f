//! The words of a body: identifiers and words in strings, for search and similarity.
//!
//! Go nests no named functions, so a scan over the body's text gives the same words as a walk over its tree, and is
//! much cheaper.

use super::docs::{shorten, string_end};

/// Most bytes of a body that are read: enough for any function, and a bound for generated ones.
const LONGEST_BODY: usize = 64 * 1024;

/// Identifiers and words in strings, separated by blanks; keywords, numbers and comments are left out.
pub(super) fn of(text: &str) -> String {
    let text = shorten(text, LONGEST_BODY);
    let bytes = text.as_bytes();
    let mut words = String::with_capacity(text.len() / 2);
    let mut at = 0;
    // Up to here the text is a string's: slashes in it start no comment.
    let mut string = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'/' if at >= string && bytes.get(at + 1) == Some(&b'/') => {
                at += text[at..].find('\n').unwrap_or(text.len() - at);
            }
            b'/' if at >= string && bytes.get(at + 1) == Some(&b'*') => {
                at += text[at..].find("*/").map_or(text.len() - at, |length| length + 2);
            }
            quote @ (b'"' | b'`') if at >= string => {
                string = string_end(bytes, at, quote);
                at += 1;
            }
            byte if is_word(byte) => {
                let start = at;
                while at < bytes.len() && is_word(bytes[at]) {
                    at += 1;
                }
                push(&mut words, &text[start..at]);
            }
            _ => at += 1,
        }
    }
    words
}

fn push(words: &mut String, word: &str) {
    if word.len() < 2 || word.starts_with(|first: char| first.is_ascii_digit()) || is_keyword(word) {
        return;
    }
    if !words.is_empty() {
        words.push(' ');
    }
    words.push_str(word);
}

/// Letters of any script: bytes from 128 on only occur inside them, or in signs that do no harm.
fn is_word(byte: u8) -> bool {
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
