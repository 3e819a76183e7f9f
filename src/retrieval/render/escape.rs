//! Escapes text from a repository for the formats.

use std::fmt::Write as _;

use crate::text::display;

/// Returns the text on one line: runs of whitespace become a space, control characters become control pictures.
pub fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    display::safe(&words.join(" ")).into_owned()
}

/// Returns a line of source with its indentation: a tab becomes four spaces, control characters become control
/// pictures.
pub fn code_line(line: &str) -> String {
    display::safe(&line.trim_end().replace('\t', "    ")).into_owned()
}

/// Escapes the characters of JSON text that control a terminal. `serde_json` escapes only those below U+0020.
pub fn json(text: &str) -> String {
    if !text.chars().any(display::is_unsafe) {
        return text.to_owned();
    }
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if display::is_unsafe(letter) {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                write!(escaped, "\\u{unit:04x}").expect("a string takes any text");
            }
        } else {
            escaped.push(letter);
        }
    }
    escaped
}
