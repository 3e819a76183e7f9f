//! Text from a repository as the formats write it.

use std::fmt::Write as _;

use crate::text::display;

/// One line: runs of white space become a space, control characters become pictures.
pub fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    display::safe(&words.join(" ")).into_owned()
}

/// A line of source: indentation stays, tabs as four spaces, control characters become pictures.
pub fn code_line(line: &str) -> String {
    display::safe(&line.trim_end().replace('\t', "    ")).into_owned()
}

/// JSON with escapes for what a terminal could obey; `serde_json` leaves those above ASCII's first 32 alone.
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
