//! The tokens of C and C++, as far as macros need them.

use std::ops::Range;

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A name or a keyword.
    Word,
    /// A number.
    Number,
    /// A string or a character.
    Text,
    Sign,
}

/// A token.
#[derive(Debug, Clone, Copy)]
pub struct Token {
    pub start: usize,
    pub end: usize,
    pub line: u32,
    pub kind: Kind,
}

impl Token {
    /// Returns the bytes of the token.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// The tokens of a text.
#[derive(Debug, Default)]
pub struct Tokens {
    /// All but those of directives.
    pub list: Vec<Token>,
    /// The directives that define macros.
    pub definitions: Vec<Range<usize>>,
    /// The directives with a condition.
    pub conditions: Vec<Range<usize>>,
}

/// Reads the tokens of a text, without comments.
pub fn tokens(text: &str) -> Tokens {
    let bytes = text.as_bytes();
    let (mut tokens, mut at, mut line) = (Tokens::default(), 0, 1);
    let mut is_line_start = true;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        let kind = match byte {
            b'\n' => {
                (at, line, is_line_start) = (at + 1, line + 1, true);
                continue;
            }
            _ if byte.is_ascii_whitespace() || (byte == b'\\' && bytes.get(at + 1) == Some(&b'\n')) => {
                at += 1;
                continue;
            }
            b'/' if matches!(bytes.get(at + 1), Some(b'/' | b'*')) => {
                at = end_of_comment(bytes, at);
                line += lines_in(&bytes[start..at]);
                continue;
            }
            b'#' if is_line_start => {
                at = end_of_directive(bytes, at);
                line += lines_in(&bytes[start..at]);
                let word = text[start + 1..at].trim_start();
                if word.starts_with("define") {
                    tokens.definitions.push(start..at);
                } else if word.starts_with("if") || word.starts_with("elif") {
                    tokens.conditions.push(start..at);
                }
                continue;
            }
            b'"' | b'\'' => {
                let is_raw = byte == b'"' && start > 0 && bytes[start - 1] == b'R';
                at = if is_raw { end_of_raw(text, at) } else { end_of_text(bytes, at) };
                Kind::Text
            }
            _ if byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80 => {
                at += bytes[at..].iter().take_while(|byte| is_part(**byte)).count();
                Kind::Word
            }
            _ if byte.is_ascii_digit() => {
                at += bytes[at..].iter().take_while(|byte| is_part(**byte) || matches!(byte, b'.' | b'\'')).count();
                Kind::Number
            }
            _ => {
                let is_pair = matches!(bytes.get(at..at + 2), Some(b"::" | b"##" | b"->"));
                at += if is_pair { 2 } else { 1 };
                Kind::Sign
            }
        };
        tokens.list.push(Token { start, end: at, line, kind });
        line += lines_in(&bytes[start..at]);
        is_line_start = false;
    }
    tokens
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn lines_in(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|byte| **byte == b'\n').count() as u32
}

fn end_of_comment(bytes: &[u8], start: usize) -> usize {
    let inside = &bytes[start + 2..];
    let length = if bytes[start + 1] == b'/' {
        inside.iter().position(|byte| *byte == b'\n')
    } else {
        inside.windows(2).position(|pair| pair == b"*/").map(|length| length + 2)
    };
    length.map_or(bytes.len(), |length| start + 2 + length)
}

/// Returns the end of a directive, which can be continued on the next line.
fn end_of_directive(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while at < bytes.len() && bytes[at] != b'\n' {
        let is_comment = bytes[at] == b'/' && bytes.get(at + 1) == Some(&b'*');
        at = match bytes[at] {
            b'\\' => (at + 2 + usize::from(bytes.get(at + 1) == Some(&b'\r'))).min(bytes.len()),
            _ if is_comment => end_of_comment(bytes, at),
            _ => at + 1,
        };
    }
    at
}

/// Returns the end of a string or character, at the end of its line at most.
fn end_of_text(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'\n' {
        match bytes[at] {
            b'\\' => at += 2,
            byte if byte == bytes[start] => return at + 1,
            _ => at += 1,
        }
    }
    at.min(bytes.len())
}

/// Returns the end of `R"sign(…)sign"`.
fn end_of_raw(text: &str, start: usize) -> usize {
    let Some((sign, _)) = text[start + 1..].split_once('(').filter(|(sign, _)| sign.len() <= 16) else {
        return end_of_text(text.as_bytes(), start);
    };
    let end = format!("){sign}\"");
    text[start..].find(&end).map_or(text.len(), |length| start + length + end.len())
}
